import { type HistoryGroup, createChartBars } from '../../builds/historyGroups.ts';
import type { PastBuild } from '../../builds/pastBuild.ts';

/** The translated texts of the page. */
export interface HistoryLabels {
  readonly title: string;
  readonly emptyMessage: string;
  readonly exportLink: string;
  getConnectionName(id: string): string;
  /** Returns the build type of a group. */
  formatType(group: HistoryGroup): string;
  /** Summarizes a group in a sentence, which is also the text alternative of its chart. */
  formatSummary(group: HistoryGroup): string;
  /** Describes one build in a line, for the tooltip of its bar. */
  formatBuild(build: PastBuild): string;
  formatOutcome(build: PastBuild): string;
  formatTime(time: number): string;
  formatDuration(milliseconds: number | undefined): string;
  readonly columns: readonly [ended: string, outcome: string, duration: string, reason: string];
  readonly details: string;
}

/** The height of a chart, the distance between its bars, and the minimum height of a bar, in SVG units. */
const chartMetrics = { height: 40, step: 10, minHeight: 3 } as const;

/**
 * Renders the history as an HTML page: for each datamodel and build type, a chart and a table of the latest builds.
 * Text from the server is escaped (decisions.md, "Activation and quality"), and the content security policy forbids
 * scripts and external resources.
 */
export function renderHistoryPage(
  groups: readonly HistoryGroup[],
  labels: HistoryLabels,
  { nonce, language }: { readonly nonce: string; readonly language: string },
): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const body =
    groups.length === 0
      ? `<p>${escapeHtml(labels.emptyMessage)}</p>`
      : `<p><a href="command:datamodelStudio.builds.exportHistory">${escapeHtml(labels.exportLink)}</a></p>
${groups.map((group) => renderSection(group, labels)).join('\n')}`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(labels.title)}</title>
<style nonce="${escapeHtml(nonce)}">${styleSheet}</style>
</head>
<body>
<main>
<h1>${escapeHtml(labels.title)}</h1>
${body}
</main>
</body>
</html>
`;
}

function renderSection(group: HistoryGroup, labels: HistoryLabels): string {
  const [ended, outcome, duration, reason] = labels.columns.map(escapeHtml);
  return `<section>
<h2>${escapeHtml(group.title)} <small>${escapeHtml(`${labels.formatType(group)} · ${labels.getConnectionName(group.connectionId)}`)}</small></h2>
<p>${escapeHtml(labels.formatSummary(group))}</p>
${renderChart(group, labels)}
<details><summary>${escapeHtml(labels.details)}</summary>
<table><thead><tr><th scope="col">${ended}</th><th scope="col">${outcome}</th><th scope="col">${duration}</th><th scope="col">${reason}</th></tr></thead>
<tbody>
${group.latestBuilds
  .toReversed()
  .map((build) => renderRow(build, labels))
  .join('\n')}
</tbody></table></details>
</section>`;
}

function renderChart(group: HistoryGroup, labels: HistoryLabels): string {
  const bars = createChartBars(group.latestBuilds, chartMetrics);
  const width = bars.length * chartMetrics.step;
  const shapes = bars.map(({ x, height, build }) => {
    const y = chartMetrics.height - height;
    // Color must not be the only sign of a failure.
    const failureMark =
      build.outcome === 'done'
        ? ''
        : `<path class="mark" d="M${x + 1} ${chartMetrics.height + 4}l6 6m0 -6l-6 6"/>`;
    return `<g><title>${escapeHtml(labels.formatBuild(build))}</title><rect class="${build.outcome}" x="${x}" y="${y.toFixed(1)}" width="8" height="${height.toFixed(1)}"/>${failureMark}</g>`;
  });
  const size = `width="${width * 2}" height="${(chartMetrics.height + 12) * 2}" viewBox="0 0 ${width} ${chartMetrics.height + 12}"`;
  return `<svg role="img" aria-label="${escapeHtml(labels.formatSummary(group))}" ${size}>${shapes.join('')}</svg>`;
}

function renderRow(build: PastBuild, labels: HistoryLabels): string {
  const reason = [build.failedTable, build.reason].filter((text) => text !== undefined).join(': ');
  const cells = [
    labels.formatTime(build.ended),
    labels.formatOutcome(build),
    labels.formatDuration(build.durationMs),
    reason,
  ];
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
}

const styleSheet = `
body { color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); padding: 0 1.5em 2em; max-width: 60em; }
h1 { font-size: 1.5em; font-weight: 600; }
h2 { font-size: 1.15em; font-weight: 600; margin: 1.6em 0 .2em; overflow-wrap: anywhere; }
h2 small { color: var(--vscode-descriptionForeground); font-weight: 400; }
p { margin: .2em 0 .6em; }
a { color: var(--vscode-textLink-foreground); }
svg { display: block; max-width: 100%; height: auto; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
rect { fill: var(--vscode-charts-blue); stroke: var(--vscode-contrastBorder, none); }
rect.failed { fill: var(--vscode-charts-red); }
rect.cancelled, rect.gone { fill: var(--vscode-charts-yellow); }
.mark { stroke: var(--vscode-foreground); stroke-width: 1.2; fill: none; }
details { margin-top: .5em; }
summary { cursor: pointer; color: var(--vscode-textLink-foreground); }
table { border-collapse: collapse; margin-top: .4em; }
th, td { text-align: start; vertical-align: top; padding: .2em 1em .2em 0; overflow-wrap: anywhere; }
th { color: var(--vscode-descriptionForeground); font-weight: 600; }
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
