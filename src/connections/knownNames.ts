import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { partyOf } from '../contract/rule.ts';
import type { Sessions } from './sessions.ts';

export interface KnownName {
  readonly id: string;
  /** What people call it; the id where nobody has told. */
  readonly name: string;
}

export interface KnownNames {
  readonly apps: readonly KnownName[];
  readonly groups: readonly KnownName[];
  readonly users: readonly KnownName[];
}

/**
 * The apps, groups and users that were seen on the instance: the platform lists none of them (spec; platform-facts 4),
 * so they are learnt from viewpoints and rules that are known anyway. No request is sent.
 */
export function knownNames(
  { sessions }: { readonly sessions: Pick<Sessions, 'peek'> },
  connectionId: string | undefined,
): KnownNames {
  const known = connectionId === undefined ? undefined : sessions.peek(connectionId)?.catalog.known;
  const [apps, groups, users] = [new Names(), new Names(), new Names()];
  for (const { visibility } of known?.viewpoints ?? []) {
    visibility?.apps?.forEach((app) => apps.see(app));
    visibility?.groups?.forEach((group) => groups.see(group));
    visibility?.users?.forEach((user) => users.see(user));
  }
  for (const share of (known?.rules ?? [])
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => rule.shares ?? [])) {
    const party = partyOf(share);
    if (party !== undefined && share.type !== 'default') {
      (share.type === 'group' ? groups : users).see(party, share.partyName ?? undefined);
    }
  }
  return { apps: apps.sorted, groups: groups.sorted, users: users.sorted };
}

/**
 * Has {@link knownNames} learn whom the rules of a datamodel or cube set are for; one that cannot be read keeps nobody
 * from the others.
 * @throws ApiError
 */
export async function learnNames(
  { sessions }: { readonly sessions: Pick<Sessions, 'get'> },
  connectionId: string,
  subject: RuleSubject,
): Promise<void> {
  const { catalog } = await sessions.get(connectionId);
  await catalog.readable.rules(subject);
}

/** Each once, where viewpoints say the name of a group and rules its identifier (spec, "ViewpointVisibility"). */
export function withoutNamesakes(names: readonly KnownName[]): readonly KnownName[] {
  const identified = new Set(names.flatMap(({ id, name }) => (id === name ? [] : [name])));
  return names.filter(({ id, name }) => id !== name || !identified.has(name));
}

class Names {
  readonly #names = new Map<string, string>();

  see(id: string, name?: string): void {
    this.#names.set(id, name ?? this.#names.get(id) ?? id);
  }

  get sorted(): readonly KnownName[] {
    return [...this.#names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
  }
}
