import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import {
  type CompareInput,
  type ProjectComparison,
  type PrunedKind,
  compareProject,
} from '../../../../src/project/plan/compareProject.ts';
import type { Comparison } from '../../../../src/project/compare/itemChange.ts';
import type { PulledProject } from '../pull/pullSupport.ts';

/** Compares a project with the documents of an instance. */
export const compare = (
  { texts, lock }: PulledProject,
  documents: Partial<InstanceDocuments>,
  options: Partial<Pick<CompareInput, 'isUnknownOnInstance' | 'prunedKinds'>> = {},
): ProjectComparison =>
  compareProject({
    project: parseProject({ texts, faults: [] }),
    lock,
    pulled: convertInstance({
      datamodels: [],
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users: [],
      groups: [],
      numberedReferences: lock.numberedReferences,
      ...documents,
    }),
    isUnknownOnInstance: () => false,
    prunedKinds: new Set(),
    ...options,
  });

export const withPrunedKinds = (...kinds: readonly PrunedKind[]) => ({ prunedKinds: new Set(kinds) });

/** Formats the result of a comparison in short lines. */
export const summarize = ({ changes, extraItems, notes, uncomparedItems }: Comparison) => ({
  changes: changes.map(
    ({ action, key, from, parts, isChangedOnServer, isNeverPulled }) =>
      `${action} ${from === undefined ? '' : `${formatItemKey(from)} -> `}${formatItemKey(key)}${
        action === 'update' ? ` [${parts.map(({ pointer }) => pointer).join(' ')}]` : ''
      }${isNeverPulled === true ? ' (never pulled)' : isChangedOnServer ? ' (changed on the server)' : ''}`,
  ),
  extras: extraItems.map(({ key, column }) =>
    column === undefined ? formatItemKey(key) : `${formatItemKey(key)} ${column}`,
  ),
  notes: notes.map(({ code, key, pointer }) => `${code} ${formatItemKey(key)} ${pointer}`),
  uncompared: uncomparedItems.map(formatItemKey),
});

export const nothing = { changes: [], extras: [], notes: [], uncompared: [] };
