// SPDX-License-Identifier: Apache-2.0
import { mount } from 'svelte';
import AdviceApp from './AdviceApp.svelte';
import App from './App.svelte';
import './app.css';
import { is_advice, is_studio, read_document } from './document';
import Studio from './studio/Studio.svelte';

const target = document.getElementById('app')!;
try {
  const page = read_document();
  if (is_studio(page)) mount(Studio, { target });
  else if (is_advice(page)) mount(AdviceApp, { target, props: { page } });
  else mount(App, { target, props: { report: page } });
} catch (error) {
  target.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : error}`;
  throw error;
}
