import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { type SeenName, SeenOnInstance } from '../catalog/seenOnInstance.ts';
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
  if (known === undefined) {
    return { apps: [], groups: [], users: [] };
  }
  const { apps, groups, users } = new SeenOnInstance(known);
  return { apps: apps.map(named), groups: groups.map(named), users: users.map(named) };
}

const named = ({ value, label }: SeenName): KnownName => ({ id: value, name: label ?? value });

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
