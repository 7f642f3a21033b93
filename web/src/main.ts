// SPDX-License-Identifier: Apache-2.0
import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { read_document } from './document';

const target = document.getElementById('app')!;
try {
  mount(App, { target, props: { report: read_document() } });
} catch (error) {
  target.textContent = `This report cannot be shown: ${error instanceof Error ? error.message : error}`;
  throw error;
}
