import type * as z from 'zod';
import { english } from '../../base/localize.ts';
import { type ItemKey, formatItemKey } from '../../project/item.ts';
import { describeExtraItems } from '../../project/messages/describeExtraItems.ts';
import { describeDifference } from '../../project/messages/planTexts.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { createInterruptedCheck, toInterruptedNote, warnOfInterruptedChange } from '../interruptedChange.ts';
import type { InterruptedChangeError } from '../../changes/journal/requireFinished.ts';
import { openInstance } from '../instance.ts';
import { isBrokenRelation, labelItems, formatNames } from '../itemLabels.ts';
import { formatJUnit } from '../junit.ts';
import { outputVersion, toInstanceOutput } from '../outputParts.ts';
import type { driftOutputSchema } from '../outputSchemas.ts';
import { formatCode, formatInterruptedLines, formatSections } from '../markdown.ts';
import {
  type DifferenceText,
  describeChangedPart,
  instanceAndProjectTexts,
  limitDifferences,
  listDifferenceLines,
} from '../differences/differenceTexts.ts';
import { describeUnknownCount } from '../planCounts.ts';
import {
  formatLocation,
  formatRulesWithoutEffect,
  formatNotesSetByInstance,
  rulesWithoutEffectTitle,
} from '../planText.ts';
import type { DifferenceNote, PartChange } from '../../project/compare/itemChange.ts';
import { isInstanceOnly, isSetByInstance } from '../../project/compare/itemChange.ts';
import { staysDifferent } from '../../project/plan/remainingDifferences.ts';
import { type LoadedPlan, loadPlan } from '../projectPlan.ts';
import { readLimits } from '../selectionLimits.ts';
import { getStateFolder } from '../target.ts';
import { readProjectTarget } from '../projectTarget.ts';
import { getUncomparedParts, describeExcludedUnreadFiles } from '../planOutput.ts';
import { findInstanceRulesWithoutEffect } from '../rulesWithoutEffect.ts';
import type { CommandOutput, Tone } from '../shell.ts';
import {
  describeOutputPart,
  formatUnmanaged,
  toUnmanagedOutput,
  unmanagedTitle,
} from '../unmanagedOutput.ts';

type DriftOutput = z.infer<typeof driftOutputSchema>;
type DriftItem = DriftOutput['items'][number];
type DriftPart = DriftItem['parts'][number];

/** Reports where an instance differs from a project. Writes nothing. */
export const drift: RunCommand = async (context) => {
  const { args, shell, clock } = context;
  const target = await readProjectTarget(context);
  const instance = openInstance(target.instance, shell, clock);
  try {
    const options = {
      limits: readLimits(args),
      prunedKinds: new Set<never>(),
      ignoredCodes: new Set<never>(),
    };
    const loaded = await loadPlan(target, { instance, context, options, isSent: false });
    const { history } = await instance.openChangeServices(getStateFolder({ args, shell }));
    const interrupted = await warnOfInterruptedChange(history, target.instance, context);
    const driftOutput = createDriftOutput(loaded, interrupted);
    printFormatted(driftOutput, context);
    return { same: exitCodes.done, differs: exitCodes.differs, unknown: exitCodes.unknown }[
      driftOutput.state
    ];
  } finally {
    instance.dispose();
  }
};

function printFormatted(driftOutput: DriftOutput, { args, output }: CommandContext): void {
  const labeledOutput = labelItems(driftOutput);
  const format = args.getValue('format') ?? 'text';
  const print = (text: string, tone?: Tone): void =>
    // A pipeline redirects a report from stdout to a file, so the summary is a message, on stderr.
    format === 'text' ? output.printLine(text, tone) : output.printMessage(text, tone);
  switch (format) {
    case 'json':
      output.printJson(driftOutput);
      break;
    case 'junit':
      output.printReport(formatDriftJUnit(labeledOutput));
      break;
    case 'markdown':
      output.printReport(formatDriftMarkdown(labeledOutput));
      break;
    default:
      if (driftOutput.interrupted !== undefined) {
        output.printLine(driftOutput.interrupted.text, 'warning');
      }
      printDrift(labeledOutput, output);
  }
  for (const { item, text } of labeledOutput.notCompared ?? []) {
    print(`Not compared: ${item}: ${text}`, 'warning');
  }
  formatUnmanaged(driftOutput).forEach((line) => print(line, 'warning'));
  const isSame = driftOutput.state === 'same' && driftOutput.unmanaged === undefined;
  print(formatSummary(driftOutput), isSame ? 'success' : 'warning');
}

function createDriftOutput(loaded: LoadedPlan, interrupted: InterruptedChangeError | undefined): DriftOutput {
  const { target, project, prepared } = loaded;
  const { comparison } = prepared;
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const unknown = getUncomparedParts(loaded);
  const changedItems = new Set(comparison.changes.map(({ key }) => formatItemKey(key)));
  const remainingParts = getRemainingParts(comparison.notes);
  const addedItems = new Set(
    comparison.notes.flatMap(({ code, key }) => (code === 'added' ? formatItemKey(key) : [])),
  );
  const mayHaveBeenWritten = createInterruptedCheck(interrupted, loaded);
  const createItem = (item: string): Pick<DriftItem, 'item' | 'path'> => {
    const path = paths.get(item);
    return { item, ...(path === undefined ? {} : { path }) };
  };
  const items: DriftItem[] = [
    ...comparison.changes.map(({ action, key, from, parts, isChangedOnServer, isNeverPulled }): DriftItem => {
      const item = formatItemKey(key);
      return {
        ...createItem(item),
        state: action === 'create' ? 'missing' : 'changed',
        changedOnServer: isChangedOnServer || addedItems.has(item),
        ...(isNeverPulled === undefined ? {} : { neverPulled: isNeverPulled }),
        ...(mayHaveBeenWritten(key) ? { interrupted: true } : {}),
        parts: [...createNameParts(from, key), ...parts.map(toPart), ...(remainingParts.get(item) ?? [])],
      };
    }),
    ...[...remainingParts]
      .filter(([item]) => !changedItems.has(item))
      .map(
        ([item, parts]): DriftItem => ({
          ...createItem(item),
          state: 'changed',
          changedOnServer: addedItems.has(item),
          parts: [...parts],
        }),
      ),
    ...comparison.extraItems.map(({ key, column }): DriftItem => {
      const item = formatItemKey(key);
      return {
        item: column === undefined ? item : `${item}/${column}`,
        state: 'extra',
        changedOnServer: true,
        parts: [],
      };
    }),
  ];
  return {
    version: outputVersion,
    command: 'drift',
    instance: toInstanceOutput(target.instance.connection),
    environment: target.environmentName,
    limits: loaded.options.limits,
    state: unknown.length > 0 ? 'unknown' : items.length > 0 ? 'differs' : 'same',
    counts: {
      same:
        comparison.unchangedCount -
        [...remainingParts.keys()].filter((item) => !changedItems.has(item)).length,
      differs: items.length,
      unknown: loaded.prepared.uncomparedItems.length,
    },
    items,
    unknown,
    rulesWithoutEffect: findInstanceRulesWithoutEffect(loaded),
    ...toUnmanagedOutput(loaded),
    ...toInterruptedNote(interrupted),
    notCompared: [
      ...comparison.notes
        .filter(({ code }) => code === 'unknown-party-type')
        .map((note) => ({ item: formatItemKey(note.key), text: describeDifference(english, note) })),
      ...describeExcludedUnreadFiles(loaded),
    ],
    instanceOnly: comparison.notes.filter(isInstanceOnly).map((note) => ({
      item: formatItemKey(note.key),
      pointer: note.pointer,
      text: describeDifference(english, note),
    })),
    setByInstance: comparison.notes.filter(isSetByInstance).map((note) => ({
      item: formatItemKey(note.key),
      pointer: note.pointer,
      code: note.code,
      text: describeDifference(english, note),
    })),
  };
}

const toPart = ({ pointer, before, after }: PartChange | DifferenceNote): DriftPart => ({
  pointer,
  ...(before === undefined ? {} : { instance: before }),
  ...(after === undefined ? {} : { project: after }),
});

/** Returns the names of a table or viewpoint as a part, if they differ; a column has its name in its own part. */
function createNameParts(from: ItemKey | undefined, to: ItemKey): readonly DriftPart[] {
  const [instance, project] = [getOwnName(from), getOwnName(to)];
  return instance === undefined || instance === project ? [] : [{ pointer: '/name', instance, project }];
}

const getOwnName = (key: ItemKey | undefined): string | undefined =>
  key?.kind === 'table' ? key.table : key?.kind === 'viewpoint' ? key.viewpoint : undefined;

/** Returns the differences that no apply removes, by the texts of the items' keys. */
const getRemainingParts = (notes: readonly DifferenceNote[]): ReadonlyMap<string, readonly DriftPart[]> =>
  new Map(
    [
      ...Map.groupBy(
        notes.filter((note) => staysDifferent(note) && note.code !== 'unknown-party-type'),
        ({ key }) => formatItemKey(key),
      ),
    ].map(([item, group]) => [
      item,
      group.map((note) => ({ ...toPart(note), notApplied: describeDifference(english, note) })),
    ]),
  );

const stateTexts: Readonly<Record<DriftItem['state'], string>> = {
  changed: 'differs',
  missing: 'only in the project',
  extra: 'only on the instance',
};

const describeItem = (item: DriftItem): string =>
  item.state === 'extra' && isBrokenRelation(item.item)
    ? `${stateTexts.extra}, with a deleted column: builds might fail`
    : describeState(item);

const describeState = ({ state, changedOnServer, neverPulled, interrupted }: DriftItem): string =>
  interrupted === true
    ? `${stateTexts[state]}, possibly because of the interrupted change`
    : changedOnServer && state !== 'extra'
      ? `${stateTexts[state]}, ${neverPulled === true ? 'never pulled' : `${state === 'missing' ? 'deleted' : 'changed'} on the server since the last pull`}`
      : stateTexts[state];

function describeParts({ state, parts }: DriftItem): readonly DifferenceText[] {
  if (state !== 'changed') {
    return [];
  }
  return limitDifferences(
    parts.flatMap(({ pointer, instance, project, notApplied }) =>
      describeChangedPart({ pointer, before: instance, after: project }, instanceAndProjectTexts).map(
        ({ text, diff }) => ({
          text: notApplied === undefined ? text : `${text}. Can't be applied: ${notApplied}`,
          diff,
        }),
      ),
    ),
  );
}

function printDrift(driftOutput: DriftOutput, output: CommandOutput): void {
  for (const item of driftOutput.items) {
    output.printLine(`${item.item}: ${describeItem(item)}`);
    listDifferenceLines(describeParts(item)).forEach((line) => output.printLine(`    ${line}`));
  }
  formatExpectedNotes(driftOutput).forEach((line) => output.printLine(line));
  formatRulesWithoutEffect(driftOutput).forEach((line) => output.printLine(line, 'warning'));
  for (const { what, problem } of driftOutput.unknown) {
    output.printLine(`Can't read ${what}: ${problem}`, 'error');
  }
}

/** Returns lines about what isn't a difference: what each instance sets itself, and what only the instance has. */
const formatExpectedNotes = ({ setByInstance = [], instanceOnly = [] }: DriftOutput): readonly string[] => [
  ...formatNotesSetByInstance(setByInstance),
  ...(instanceOnly.length === 0
    ? []
    : [
        `Only on the instance, kept: ${formatNames(instanceOnly.map(formatLocation))}: ${instanceOnly[0]?.text ?? ''}`,
      ]),
];

/** Formats the part of the project that was compared, as the end of a clause; empty for the whole project. */
function formatLimitSuffix(driftOutput: DriftOutput): string {
  const part = describeOutputPart(driftOutput);
  return part === undefined ? '' : ` in ${part}`;
}

function formatSummary(driftOutput: DriftOutput): string {
  const { state, counts, setByInstance = [], instanceOnly = [] } = driftOutput;
  const limitSuffix = formatLimitSuffix(driftOutput);
  if (state === 'same') {
    const text = `No differences between the instance and the project${limitSuffix}`;
    return [
      setByInstance.length === 0 ? `${text}.` : `${text}, except for what each instance sets itself.`,
      ...(instanceOnly.length === 0
        ? []
        : [
            describeExtraItems(
              english,
              instanceOnly.map(() => 'property' as const),
            ),
          ]),
    ].join(' ');
  }
  const items = `${counts.differs === 1 ? '1 item differs' : `${counts.differs} items differ`}${limitSuffix}`;
  if (state !== 'unknown') {
    return `${items}.`;
  }
  const reason = describeUnknownCount(counts.unknown);
  return counts.differs > 0
    ? `${items}. Others might differ, too: ${reason}.`
    : `It's unknown whether the instance differs from the project${limitSuffix}: ${reason}.${counts.same === 0 ? '' : ` ${formatSameCount(counts.same)}.`}`;
}

/**
 * Formats a JUnit report with a test case for each item that differs or can't be read and for each note, and one for
 * all items without differences.
 */
function formatDriftJUnit(driftOutput: DriftOutput): string {
  const className = `drift.${driftOutput.environment}`;
  return formatJUnit('drift', [
    ...driftOutput.items.map((item) => ({
      className,
      name: item.item,
      problem: {
        kind: 'failure' as const,
        type: item.state,
        message: describeItem(item),
        details: [describeItem(item), ...listDifferenceLines(describeParts(item))].join('\n'),
      },
    })),
    ...(driftOutput.interrupted === undefined ? [] : [{ className, name: driftOutput.interrupted.text }]),
    ...driftOutput.unknown.map(({ what, problem }) => ({
      className,
      name: what,
      problem: { kind: 'error' as const, type: 'unknown', message: problem },
    })),
    ...[
      ...formatUnmanaged(driftOutput),
      ...formatExpectedNotes(driftOutput),
      ...(driftOutput.rulesWithoutEffect ?? []).map(({ item }) => `${rulesWithoutEffectTitle}: ${item}`),
    ].map((name) => ({ className, name })),
    ...(driftOutput.counts.same > 0 || driftOutput.items.length + driftOutput.unknown.length === 0
      ? [{ className, name: `${formatSameCount(driftOutput.counts.same)}${formatLimitSuffix(driftOutput)}` }]
      : []),
  ]);
}

const formatDriftMarkdown = (driftOutput: DriftOutput): string =>
  formatSections(
    `### Drift of ${formatCode(driftOutput.environment)}\n\n${[formatSummary(driftOutput), ...formatInterruptedLines(driftOutput)].join('\n')}\n`,
    [
      {
        title: "Can't be read",
        lines: driftOutput.unknown.map(({ what, problem }) => `${what}: ${problem}`),
      },
      { title: unmanagedTitle, lines: formatUnmanaged(driftOutput) },
      {
        title: 'Differences',
        lines: driftOutput.items.map((item) => ({
          text: `${item.item}: ${describeItem(item)}`,
          details: describeParts(item),
        })),
      },
      {
        title: rulesWithoutEffectTitle,
        lines: (driftOutput.rulesWithoutEffect ?? []).map(({ item }) => item),
      },
      { title: 'Set by the instance', lines: formatNotesSetByInstance(driftOutput.setByInstance ?? []) },
      { title: 'Only on the instance, kept', lines: (driftOutput.instanceOnly ?? []).map(formatLocation) },
    ],
  );

const formatSameCount = (count: number): string =>
  count === 1 ? '1 item without differences' : `${count} items without differences`;
