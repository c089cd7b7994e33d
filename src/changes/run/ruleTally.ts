import { type JsonObject, isJsonObject, stringify } from '../../base/json.ts';

/**
 * Returns a text that identifies the content of a rule. It doesn't depend on the order of members and parties, or on
 * fields that the server adds. It contains the cube only if the rule names it.
 */
export function getFingerprint(rule: JsonObject): string {
  const shares = toArray(rule['shares']).map((share) =>
    isJsonObject(share) ? `${toText(share['type'])}:${toText(share['party'] ?? share['partyId'])}` : '',
  );
  return stringify([
    toText(rule['server']).toLowerCase(),
    toText(rule['elasticube'] ?? rule['fullname']),
    toText(rule['table']),
    toText(rule['column']),
    toArray(rule['members']).map(toText).sort(),
    rule['allMembers'] ?? null,
    rule['exclusionary'] === true,
    shares.sort(),
  ]);
}

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Converts a scalar to text; numbers keep their original spelling, so that `7` and `"7"` are the same member. */
const toText = (value: unknown): string => {
  if (typeof value === 'string') {
    return value;
  }
  return value === undefined || value === null ? '' : stringify(value);
};

/** Counts rules by their fingerprints. */
export class RuleTally {
  readonly #counts = new Map<string, number>();

  constructor(fingerprints: Iterable<string> = []) {
    for (const fingerprint of fingerprints) {
      this.add(fingerprint);
    }
  }

  add(fingerprint: string): void {
    this.#counts.set(fingerprint, (this.#counts.get(fingerprint) ?? 0) + 1);
  }

  /** Returns the fingerprints that occur more often here than in another tally, each once per additional occurrence. */
  getExcess(other: RuleTally): readonly string[] {
    return [...this.#counts].flatMap(([fingerprint, count]) =>
      Array.from({ length: Math.max(0, count - (other.#counts.get(fingerprint) ?? 0)) }, () => fingerprint),
    );
  }
}
