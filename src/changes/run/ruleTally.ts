import { type JsonObject, isJsonObject, stringify } from '../../base/json.ts';

/**
 * What a rule says, in one spelling: the order of members and parties and what the server adds do not count. The
 * cube counts where the rule names it.
 */
export function fingerprint(rule: JsonObject): string {
  const shares = asArray(rule['shares']).map((share) =>
    isJsonObject(share) ? `${text(share['type'])}:${text(share['party'] ?? share['partyId'])}` : '',
  );
  return stringify([
    text(rule['server']).toLowerCase(),
    text(rule['elasticube'] ?? rule['fullname']),
    text(rule['table']),
    text(rule['column']),
    asArray(rule['members']).map(text).sort(),
    rule['allMembers'] ?? null,
    rule['exclusionary'] === true,
    shares.sort(),
  ]);
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A scalar as text; a number as it is written, so that `7` and `"7"` are the same member. */
const text = (value: unknown): string => {
  if (typeof value === 'string') {
    return value;
  }
  return value === undefined || value === null ? '' : stringify(value);
};

/** How often each rule is there, by its fingerprint. */
export class RuleTally {
  readonly #counts = new Map<string, number>();

  constructor(fingerprints: Iterable<string> = []) {
    for (const each of fingerprints) {
      this.add(each);
    }
  }

  add(each: string): void {
    this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
  }

  /** What is here beyond another tally; each rule as often as it is more. */
  beyond(other: RuleTally): readonly string[] {
    return [...this.#counts].flatMap(([each, count]) =>
      Array.from({ length: Math.max(0, count - (other.#counts.get(each) ?? 0)) }, () => each),
    );
  }
}
