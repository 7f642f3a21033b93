// SPDX-License-Identifier: Apache-2.0

export interface Theme {
  dark: boolean;
  ink: string;
  muted: string;
  line: string;
  surface: string;
  accent: string;
}

const light: Theme = { dark: false, ink: '#1d232b', muted: '#59636f', line: '#dde1e6', surface: '#ffffff', accent: '#0b5f94' };
const dark: Theme = { dark: true, ink: '#e7eaee', muted: '#a3adb9', line: '#353c45', surface: '#1b1f25', accent: '#7cc0f0' };

const dark_query = matchMedia('(prefers-color-scheme: dark)');
const print_query = matchMedia('print');

/** What the reader's screen asks for; printing is always light. */
export const screen_mode = $state({ dark: dark_query.matches, print: print_query.matches });

dark_query.addEventListener('change', (event) => (screen_mode.dark = event.matches));
print_query.addEventListener('change', (event) => (screen_mode.print = event.matches));
addEventListener('beforeprint', () => (screen_mode.print = true));
addEventListener('afterprint', () => (screen_mode.print = false));

export const screen_theme = (): Theme => (screen_mode.dark && !screen_mode.print ? dark : light);
export const export_theme = light;

/** Okabe and Ito's colours, safe for colour blindness; the first is the ink of the page. */
export function palette(theme: Theme): string[] {
  return theme.dark
    ? [theme.ink, '#e69f00', '#1fbf92', '#56b4e9', '#f0763a', '#d98bb5', '#f0e442', '#a3adb9']
    : [theme.ink, '#e69f00', '#009e73', '#0072b2', '#d55e00', '#cc79a7', '#8a7f00', '#59636f'];
}

/** Cividis, dark to light: the same order of brightness for every kind of sight. */
const cividis = ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#e1cc55', '#fee838'];

/** The whole of it on white; without its darkest step on a dark page, where that would pass for nothing. */
export const ramp = (theme: Theme): string[] => (theme.dark ? cividis.slice(1) : cividis);

/** The colour of text on a cell at this place (0 to 1) of the ramp. */
export const on_ramp = (place: number): string => (place > 0.55 ? '#10151c' : '#ffffff');
