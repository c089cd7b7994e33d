import * as z from 'zod';
import type { ValueStorage } from '../base/valueStorage.ts';
import type { DocumentIdentity, DocumentRef } from './documentAddress.ts';

const aliasesSchema = z.array(z.tuple([z.string(), z.string()]));

/** The maximum number of aliases: the oldest are removed first. */
const maxAliases = 2000;

/**
 * Maps former IDs of rules to their current ones: a live rule gets a new `_id` by each save, and any rule if it is
 * restored or replaced, while its tab stays open under the former one (decisions.md, "Documents").
 */
export class RuleAliases {
  readonly #storage: ValueStorage;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** Returns the document with the current identity of its rule. */
  resolve<Document extends DocumentIdentity>(document: Document): Document {
    const { resource } = document;
    const currentId =
      resource.kind === 'rule'
        ? this.#readAll().get(getAliasKey(document.connectionId, resource))
        : undefined;
    return currentId === undefined ? document : { ...document, resource: { ...resource, ruleId: currentId } };
  }

  /** Adds the new `_id` of a rule. Aliases that led to the former one now lead to the new one. */
  add(connectionId: string, formerRule: Extract<DocumentRef, { kind: 'rule' }>, newId: string): void {
    const aliases = this.#readAll();
    const [formerKey, newKey] = [
      getAliasKey(connectionId, formerRule),
      getAliasKey(connectionId, { ...formerRule, ruleId: newId }),
    ];
    for (const [key, ruleId] of aliases) {
      if (
        getAliasKey(connectionId, { ...formerRule, ruleId }) === formerKey &&
        key.startsWith(getScopeKey(connectionId, formerRule))
      ) {
        aliases.set(key, newId);
      }
    }
    aliases.set(formerKey, newId);
    aliases.delete(newKey);
    this.#storage.write([...aliases].slice(-maxAliases));
  }

  #readAll(): Map<string, string> {
    return new Map(aliasesSchema.safeParse(this.#storage.read()).data);
  }
}

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;

const getScopeKey = (connectionId: string, { subject }: RuleRef): string =>
  `${JSON.stringify([connectionId, subject])}:`;

const getAliasKey = (connectionId: string, ref: RuleRef): string =>
  `${getScopeKey(connectionId, ref)}${ref.ruleId}`;
