import { jsonEquals } from '../../base/canonicalJson.ts';
import { maskConnectorSettings, maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import type { AppliedProject } from '../../changes/model/operation.ts';
import type { Project } from '../files/project.ts';
import { type ProjectItem, formatItemKey, getOwnerKeys, parseItemKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';

type PlannedItems = NonNullable<AppliedProject['items']>;

/**
 * Returns what the journal of an apply contains about the items that it changes. After it was interrupted, the files
 * may have changed: then only this shows what it has written. Items with a possible secret are left out.
 */
export function createPlannedItems(
  project: Pick<Project, 'items'>,
  { changes }: Pick<ProjectComparison, 'changes'>,
): PlannedItems {
  const items = new Map(project.items.map((item) => [formatItemKey(item.key), item]));
  return changes.flatMap(({ action, key, from, expectedAdditions }): PlannedItems => {
    const text = formatItemKey(key);
    if (action === 'delete') {
      return [{ key: text }];
    }
    const item = items.get(text);
    return item === undefined || mayContainSecret(item)
      ? []
      : [
          {
            key: text,
            ...(from === undefined ? {} : { from: formatItemKey(from) }),
            content: item.content,
            ...(expectedAdditions === undefined ? {} : { expectedAdditions }),
          },
        ];
  });
}

function mayContainSecret({ key, content }: ProjectItem): boolean {
  // Custom data may use any property names.
  const mask = key.kind === 'customData' ? maskConnectorSettings : maskConnectorDocument;
  return !jsonEquals(mask(content), content);
}

/**
 * Returns a project as it was when an apply of it was planned, in the items that the apply changes. Files that have
 * changed since say nothing about what was written.
 * @param items the planned items in the journal (`AppliedProject`); absent in journals of earlier versions
 */
export function restorePlannedItems(project: Project, items: PlannedItems = []): Project {
  const contents = new Map(items.map(({ key, content }) => [key, content]));
  const formerKeys = new Set(items.flatMap(({ from }) => (from === undefined ? [] : [from])));
  const isDeleted = (text: string): boolean =>
    contents.has(text) ? contents.get(text) === undefined : formerKeys.has(text);
  const kept = project.items.filter(
    ({ key }) => ![key, ...getOwnerKeys(key)].some((other) => isDeleted(formatItemKey(other))),
  );
  const keptKeys = new Set(kept.map(({ key }) => formatItemKey(key)));
  return {
    ...project,
    items: [
      ...kept.map((item) => {
        const content = contents.get(formatItemKey(item.key));
        return content === undefined ? item : { ...item, content };
      }),
      ...items.flatMap(({ key: text, content }) => {
        const key = parseItemKey(text);
        return key === undefined || content === undefined || keptKeys.has(text)
          ? []
          : [{ key, content, path: '', text: '' }];
      }),
    ],
    mayBeInUnreadFile: (key) => !contents.has(formatItemKey(key)) && project.mayBeInUnreadFile(key),
  };
}
