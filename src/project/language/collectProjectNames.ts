import { type JsonValue, getMember } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { Project } from '../files/project.ts';
import type { ProjectNameLists } from './languageCalls.ts';
import { createColumnId } from './nameIds.ts';

/**
 * Collects the names of apps, users and groups, and the values, that rules and viewpoints of the project use; and all
 * datamodels of the project.
 */
export function collectProjectNames({ items }: Project): ProjectNameLists {
  const names = { app: new Set<string>(), group: new Set<string>(), user: new Set<string>() };
  const members = new Map<string, Set<string>>();
  const addTexts = (texts: Set<string>, value: JsonValue | undefined): void => {
    for (const text of getItems(value)) {
      if (typeof text === 'string' && text !== '') {
        texts.add(text);
      }
    }
  };
  for (const { key, content } of items) {
    if (key.kind === 'viewpoint') {
      const visibility = getMember(content, 'visibility');
      addTexts(names.app, getMember(visibility, 'apps'));
      addTexts(names.group, getMember(visibility, 'groups'));
      addTexts(names.user, getMember(visibility, 'users'));
    } else if (key.kind === 'rules' || key.kind === 'cubeSetRules') {
      const columnId = createColumnId(key.table, key.column);
      const values = members.get(columnId) ?? new Set();
      members.set(columnId, values);
      for (const rule of getItems(content)) {
        addTexts(values, getMember(rule, 'members'));
        for (const share of getItems(getMember(rule, 'shares'))) {
          const type = getMember(share, 'type');
          if (type === 'group' || type === 'user') {
            addTexts(names[type], [getMember(share, 'party') ?? null]);
          }
        }
      }
    }
  }
  return {
    apps: [...names.app].toSorted(),
    groups: [...names.group].toSorted(),
    users: [...names.user].toSorted(),
    members: new Map([...members].map(([columnId, values]) => [columnId, [...values]])),
    datamodels: items.flatMap(({ key, content }) =>
      key.kind === 'datamodel'
        ? [{ title: key.datamodel, isLive: getMember(content, 'type') === 'live' }]
        : [],
    ),
  };
}

const getItems = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);
