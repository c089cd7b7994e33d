import * as vscode from 'vscode';
import { type Build, isRunning } from '../../builds/build.ts';
import { describeBuildOptions, describeBuildSource, getBuildStatusLabel } from '../../platform/buildTexts.ts';
import { createCommand } from '../../platform/commands.ts';
import { getBuildTitle, formatEventTime, describePhase, describeTypicalDuration } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import { escapeMarkdownText } from '../../platform/serverText.ts';

/** Creates Markdown that may only link to our own build commands. Text from the server must be escaped. */
export function createBuildMarkdown(): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = { enabledCommands: ['datamodelStudio.builds.cancel', 'datamodelStudio.builds.show'] };
  return markdown;
}

/** Appends a line about a build; while the build runs, it ends with a link that cancels it. */
export function appendBuildLine(
  markdown: vscode.MarkdownString,
  { clock }: Pick<BuildsDeps, 'clock'>,
  build: Build,
  typicalMs: number | undefined,
): void {
  const typicalDuration = isRunning(build) ? describeTypicalDuration(typicalMs) : undefined;
  const text = [describePhase(build, clock.now()), typicalDuration]
    .filter((entry) => entry !== undefined)
    .join(' · ');
  markdown
    .appendMarkdown('**')
    .appendMarkdown(escapeMarkdownText(getBuildTitle(build)))
    .appendMarkdown('** ')
    .appendMarkdown(escapeMarkdownText(text));
  if (isRunning(build)) {
    const { connectionId, oid } = build;
    const cancel = createCommand('datamodelStudio.builds.cancel', vscode.l10n.t('Cancel'), {
      connectionId,
      oid,
    });
    const args = encodeURIComponent(JSON.stringify(cancel.arguments)).replace(/[()]/g, toHexEscape);
    markdown.appendMarkdown(` — [${cancel.title}](command:${cancel.command}?${args})`);
  }
  markdown.appendMarkdown('\n\n');
}

const toHexEscape = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** Creates a tooltip with all details of a build. */
export function createBuildTooltip(
  deps: BuildsDeps,
  build: Build,
  typicalMs: number | undefined,
): vscode.MarkdownString {
  const markdown = createBuildMarkdown();
  appendBuildLine(markdown, deps, build, typicalMs);
  const rows: readonly (readonly [string, string | undefined])[] = [
    [vscode.l10n.t('Connection'), deps.connections.find(build.connectionId)?.name],
    [vscode.l10n.t('Type'), describeBuildOptions(build) || undefined],
    [vscode.l10n.t('First seen'), formatEventTime(build.firstSeen)],
    [
      vscode.l10n.t('Last reported'),
      build.lastSeen === undefined ? vscode.l10n.t('never') : formatEventTime(build.lastSeen),
    ],
    [vscode.l10n.t('Last known state'), getBuildStatusLabel(build.status)],
    [
      vscode.l10n.t('Started'),
      build.startedBy === undefined
        ? build.source === undefined
          ? vscode.l10n.t('elsewhere')
          : describeBuildSource(build.source)
        : undefined,
    ],
    [vscode.l10n.t('Task'), build.oid],
  ];
  for (const [label, value] of rows) {
    if (value !== undefined) {
      markdown.appendMarkdown(escapeMarkdownText(`${label}: ${value}`)).appendMarkdown('  \n');
    }
  }
  return markdown;
}
