import type { JsonObject, JsonValue } from '../../base/json.ts';
import { createMessage } from '../../base/localize.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import type { DirectoryGroup, DirectoryUser, PartyKind } from '../../catalog/people/userDirectory.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { ItemKey } from '../item.ts';
import { type NamedCustomData, convertCustomData, getCustomDataTexts } from './convertCustomData.ts';
import { DocumentCleaner } from './cleanDocument.ts';
import { convertDatamodel } from './convertDatamodel.ts';
import { type MemberConverters, convertRules, getNamedRuleParties } from './convertRules.ts';
import { convertViewpoint, getViewpointParties } from './convertViewpoint.ts';
import {
  type ConversionNote,
  type ConversionError,
  type ConvertedItems,
  EqualNamesError,
  UnwritableTextError,
  sortItems,
} from './conversionResult.ts';
import type { Identifiers } from './identifiers.ts';
import { type NumberedReference, Parties } from './parties.ts';

/** Documents of an instance, complete and as received. */
export interface InstanceDocuments {
  readonly datamodels: readonly { readonly document: JsonObject; readonly rules: readonly JsonObject[] }[];
  readonly cubeSets: readonly { readonly name: string; readonly rules: readonly JsonObject[] }[];
  readonly viewpoints: readonly JsonObject[];
  readonly customData: readonly NamedCustomData[];
  readonly users: readonly DirectoryUser[];
  readonly groups: readonly DirectoryGroup[];
  /** The parties without a name that files already refer to by number. */
  readonly numberedReferences: readonly NumberedReference[];
}

/**
 * The items of an instance; `conversionErrors` lists what cannot be stored in files, such as a datamodel with two
 * tables of the same name.
 */
export interface ConvertedInstance extends ConvertedItems {
  readonly numberedReferences: readonly NumberedReference[];
  readonly conversionErrors: readonly ConversionError[];
  /** Returns the name that a pull writes for a user or group that a file may refer to by another name. */
  readonly getPulledName: (type: PartyKind, name: JsonValue) => JsonValue;
}

/**
 * Converts the documents of an instance to items, sorted by key. If two items have the same name, only the datamodel or
 * the viewpoints that contain them aren't converted; the same is true of SQL that no file can contain.
 */
export function convertInstance(documents: InstanceDocuments): ConvertedInstance {
  const { datamodels, cubeSets, viewpoints, customData, users, groups, numberedReferences } = documents;
  const allRules = [...datamodels, ...cubeSets].flatMap(({ rules }) => rules);
  const references = [...getNamedRuleParties(allRules), ...getViewpointParties(viewpoints)];
  const parties = new Parties({
    users,
    groups,
    references,
    texts: getCustomDataTexts(customData),
    numberedReferences,
  });
  const partyIdentifiers: Identifiers = {
    findReference: (id) => {
      const names = parties.findReference(id);
      return names === undefined ? undefined : { $ref: names };
    },
    isIdentifier: (text) => parties.findReference(text) !== undefined,
  };
  const converters = { parties, cleaner: new DocumentCleaner(partyIdentifiers) };
  const conversionErrors: ConversionError[] = [];
  const convert = (run: () => ConvertedItems): readonly ConvertedItems[] => {
    try {
      return [run()];
    } catch (error) {
      if (error instanceof EqualNamesError || error instanceof UnwritableTextError) {
        conversionErrors.push(error);
        return [];
      }
      throw error;
    }
  };
  const equalTitles = findDuplicates(datamodels.map(({ document }) => getText(document['title'])));
  conversionErrors.push(
    ...equalTitles.map((title) => createEqualNamesError({ kind: 'datamodel', datamodel: title }, title)),
  );
  const convertedCustomData = convertCustomData(customData, parties);
  conversionErrors.push(...convertedCustomData.conversionErrors);
  const conversions: readonly ConvertedItems[] = [
    convertedCustomData,
    ...datamodels
      .filter(({ document }) => !equalTitles.includes(getText(document['title'])))
      .flatMap(({ document, rules }) => {
        const datamodel = getText(document['title']);
        return convert(() => {
          const converted = convertDatamodel(document, partyIdentifiers);
          const createKey = (column: ColumnName): ItemKey => ({ kind: 'rules', datamodel, ...column });
          const { items, unconvertedKeys } = convertRules(rules, converters, createKey);
          return {
            ...converted,
            items: [...converted.items, ...items],
            notes: [...converted.notes, ...createRuleNotes('rules', datamodel, unconvertedKeys)],
          };
        });
      }),
    ...cubeSets.map(({ name, rules }) => {
      const { items, unconvertedKeys } = convertRules(rules, converters, (column) => ({
        kind: 'cubeSetRules',
        cubeSet: name,
        ...column,
      }));
      return { items, identities: [], notes: createRuleNotes('cubeSetRules', name, unconvertedKeys) };
    }),
    ...convertViewpoints(viewpoints, converters, conversionErrors),
  ];
  return {
    items: sortItems(conversions.flatMap(({ items }) => items)),
    identities: conversions.flatMap(({ identities }) => identities),
    notes: conversions.flatMap(({ notes }) => notes),
    keysWithParties: conversions.flatMap(({ keysWithParties = [] }) => keysWithParties),
    numberedReferences: parties.numberedReferences,
    conversionErrors,
    getPulledName: (type, name) => parties.getPulledName(type, name),
  };
}

const createRuleNotes = (
  kind: 'rules' | 'cubeSetRules',
  parent: string,
  keys: readonly ItemKey[],
): readonly ConversionNote[] =>
  keys.length === 0 ? [] : [{ code: 'unknown-party-type', kind, parent, count: keys.length, oids: [], keys }];

function convertViewpoints(
  viewpoints: readonly JsonObject[],
  converters: MemberConverters,
  conversionErrors: ConversionError[],
): readonly ConvertedItems[] {
  const named = viewpoints.filter(({ name }) => getText(name) !== '');
  const equalNames = new Set(findDuplicates(named.map(({ name }) => getText(name))));
  conversionErrors.push(
    ...[...equalNames].map((name) => createEqualNamesError({ kind: 'viewpoint', viewpoint: name }, name)),
  );
  const distinct = named.filter(({ name }) => !equalNames.has(getText(name)));
  const namelessCount = viewpoints.length - named.length;
  const note: ConversionNote = {
    code: 'nameless',
    kind: 'viewpoint',
    parent: '',
    count: namelessCount,
    oids: viewpoints.filter(({ name }) => getText(name) === '').map(({ id }) => getText(id)),
  };
  return [
    {
      items: distinct.map((viewpoint) => convertViewpoint(viewpoint, converters)),
      identities: distinct.flatMap(({ id, name }) =>
        typeof id === 'string'
          ? [{ key: { kind: 'viewpoint', viewpoint: getText(name) } as const, oid: id }]
          : [],
      ),
      notes: namelessCount === 0 ? [] : [note],
    },
  ];
}

const createEqualNamesError = (key: Extract<ItemKey, { kind: 'datamodel' | 'viewpoint' }>, name: string) =>
  new EqualNamesError(
    key,
    key.kind === 'datamodel'
      ? createMessage(
          'The instance has two datamodels named "{0}". Rename one of them on the instance.',
          name,
        )
      : createMessage(
          'The instance has two viewpoints named "{0}". Rename one of them on the instance.',
          name,
        ),
    [name, name],
  );

const findDuplicates = (names: readonly string[]): readonly string[] => {
  const [seen, equal] = [new Set<string>(), new Set<string>()];
  names.forEach((name) => (seen.has(name) ? equal : seen).add(name));
  return [...equal];
};
