import { getRowParties } from '../../security/change/accessDifferenceRow.ts';
import { isPartyId } from '../../catalog/people/partyId.ts';
import type { UserDirectory, PartyKind } from '../../catalog/people/userDirectory.ts';
import { nameFieldParties } from '../../changes/model/fieldChanges.ts';
import type { FieldChange, Plan, PlannedAccess, PlannedRule } from '../../changes/model/plan.ts';

/** Replaces the IDs of parties in a plan by their names. Rules that are not on the server yet contain only IDs. */
export function namePlanParties(plan: Plan, partyNames: PlannedAccess['partyNames']): Plan {
  const nameParties = (rule: PlannedRule): PlannedRule => ({
    ...rule,
    parties: rule.parties.map(({ type, name }) => ({
      type,
      name: partyNames.get(`${type}:${name}`) ?? name,
    })),
  });
  const nameRule = <Subject extends { readonly rule?: PlannedRule }>(subject: Subject): Subject =>
    subject.rule === undefined ? subject : { ...subject, rule: nameParties(subject.rule) };
  return {
    ...plan,
    created: plan.created.map(nameRule),
    deleted: plan.deleted.map(nameRule),
    changed: plan.changed.map((subject) => ({
      ...nameRule(subject),
      ...(subject.ruleAfter === undefined ? {} : { ruleAfter: nameParties(subject.ruleAfter) }),
    })),
  };
}

/**
 * Adds the names of users and groups that no rule on the server names yet, such as one that gets its first rule.
 * @param loadDirectory called only if there are such users or groups
 */
export async function addDirectoryNames(
  plan: Plan,
  access: PlannedAccess,
  loadDirectory: () => Promise<Pick<UserDirectory, 'getName'>>,
): Promise<PlannedAccess> {
  const keys = new Set(findParties(plan, access).map(({ type, id }) => `${type}:${id}` as const));
  const unnamedKeys = [...keys].filter((key) => !access.partyNames.has(key));
  if (unnamedKeys.length === 0) {
    return access;
  }
  const directory = await loadDirectory();
  const names = unnamedKeys.flatMap((key): [string, string][] => {
    const separator = key.indexOf(':');
    const name = directory.getName(key.slice(0, separator) as PartyKind, key.slice(separator + 1));
    return name === undefined ? [] : [[key, name]];
  });
  return { ...access, partyNames: new Map([...access.partyNames, ...names]) };
}

/**
 * Replaces the IDs of users and groups in changed fields by their names: a request that shares a viewpoint contains
 * IDs.
 * @param loadDirectory called only if there are such fields
 */
export async function replaceFieldPartyIds<Item extends { readonly fields: readonly FieldChange[] }>(
  items: readonly Item[],
  loadDirectory: () => Promise<Pick<UserDirectory, 'resolve'>>,
): Promise<readonly Item[]> {
  if (!items.some(({ fields }) => fields.some(({ parties }) => parties !== undefined))) {
    return items;
  }
  const directory = await loadDirectory();
  return items.map((item) => ({
    ...item,
    fields: item.fields.map((field) => nameFieldParties(field, directory)),
  }));
}

interface IdentifiedParty {
  readonly type: PartyKind;
  readonly id: string;
}

/** Returns the users and groups whose access or rules a plan shows by ID. */
function findParties(plan: Plan, { subjects }: PlannedAccess): readonly IdentifiedParty[] {
  const rules = [
    ...[...plan.created, ...plan.changed, ...plan.deleted].map(({ rule }) => rule),
    ...plan.changed.map(({ ruleAfter }) => ruleAfter),
  ];
  const ruleParties = rules
    .flatMap((rule) => rule?.parties ?? [])
    // A rule on the server has the names of its parties.
    .filter(({ name }) => isPartyId(name))
    .map(({ type, name }) => ({ type, id: name }));
  const accessParties = subjects.flatMap(({ difference }) => difference.rows.flatMap(getRowParties));
  return [...accessParties, ...ruleParties].flatMap(({ type, id }) =>
    type === 'default' || id === undefined ? [] : [{ type, id }],
  );
}
