// SPDX-License-Identifier: Apache-2.0
// The parts of ECharts that the page uses, and no others.
import { BarChart, BoxplotChart, CustomChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import type { Theme } from './theme.svelte';

use([
  BarChart, BoxplotChart, CustomChart, HeatmapChart, LineChart, ScatterChart, DataZoomComponent, GridComponent,
  LegendComponent, MarkAreaComponent, MarkLineComponent, TitleComponent, TooltipComponent, VisualMapComponent, CanvasRenderer, SVGRenderer,
]);

export { init };
export type { EChartsType } from 'echarts/core';
export type { EChartsCoreOption as ChartOption } from 'echarts/core';

/** Where a chart is drawn. `top` is the room kept for a title and a legend, which only downloads carry. */
export interface Context {
  theme: Theme;
  width: number;
  height: number;
  top: number;
}

export const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export interface LegendItem {
  name: string;
  color: (theme: Theme) => string;
  /** How its line is drawn, as ECharts has it. */
  dash?: 'solid' | number[];
  /** A mark to stand for the curve's line. */
  glyph?: string;
  /** Words that tell it from the others, behind the name. */
  tags?: string[];
  /** Numbers beside the name, under the legend's own columns. */
  values?: string[];
}
