import { type JsonObject, type JsonValue, isJsonObject, mapMembers } from '../../base/json.ts';
import { isInstanceSpecificField, isServerManagedField } from '../../contract/serverManagedFields.ts';
import { type Identifiers, findIdentifierTexts, looksLikeIdentifier } from './identifiers.ts';

/**
 * Members that contain settings of a connector: the names and values in them are defined by the user
 * (platform-facts.md, 2.5).
 */
export const settingsMembers: ReadonlySet<string> = new Set([
  'parameters',
  'configOptions',
  'globalTableConfigOptions',
  'uiParams',
]);

/** Members whose values are texts that the user wrote. */
export const textMembers: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'displayName',
  'aiGeneratedDescription',
  'importQuery',
]);

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** Returns whether a member contains the time of an event, such as `lastExecution` of a schedule. */
const isServerTime = (name: string, value: JsonValue): boolean =>
  typeof value === 'string' && timePattern.test(value) && /^(last|created|updated|modified)/i.test(name);

/** Returns whether the server sets a member of any document: on creation, whenever it changes, or for an event. */
const isSetByServer = (name: string, value: JsonValue): boolean =>
  isInstanceSpecificField(name) ||
  isServerManagedField(name) ||
  name === 'revision' ||
  isServerTime(name, value);

/**
 * Removes from documents of any shape what is specific to one instance: times, members that the server assigns or
 * maintains, and identifiers of resources without a name. Identifiers of named resources are replaced by references
 * (`createReference`). Null means the same as absent (platform-facts.md, 2.2), so such members are removed, except
 * in settings.
 */
export class DocumentCleaner {
  readonly #identifiers: Identifiers;
  /**
   * By member name, whether members with that name are always removed. Cached, because many objects have the same
   * members.
   */
  readonly #removedNames = new Map<string, boolean>();

  constructor(identifiers: Identifiers) {
    this.#identifiers = identifiers;
  }

  /**
   * Cleans the members of an object.
   * @param verbatim members to keep as they are
   */
  cleanMembers(object: JsonObject, verbatim: ReadonlySet<string> = textMembers): JsonObject {
    return mapMembers(object, (value, name) => this.#cleanMember(name, value, verbatim));
  }

  #cleanMember(name: string, value: JsonValue, verbatim: ReadonlySet<string>): JsonValue | undefined {
    if (value === null || this.#isRemoved(name)) {
      return undefined;
    }
    if (verbatim.has(name) && typeof value === 'string') {
      return value;
    }
    if (settingsMembers.has(name)) {
      return this.#cleanSettings(value);
    }
    return isSetByServer(name, value) ? undefined : this.#clean(value);
  }

  #isRemoved(name: string): boolean {
    let isRemoved = this.#removedNames.get(name);
    if (isRemoved === undefined) {
      isRemoved = looksLikeIdentifier(name) || this.#containsIdentifier(name);
      this.#removedNames.set(name, isRemoved);
    }
    return isRemoved;
  }

  /** Cleans a value; returns `undefined` if all of it is removed. */
  #clean(value: JsonValue): JsonValue | undefined {
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).flatMap((item) => {
        const cleaned = this.#clean(item);
        return cleaned === undefined ? [] : [cleaned];
      });
    }
    if (isJsonObject(value)) {
      const cleaned = this.cleanMembers(value);
      return Object.keys(cleaned).length === 0 && Object.keys(value).length > 0 ? undefined : cleaned;
    }
    return typeof value === 'string' ? this.#cleanText(value) : value;
  }

  #cleanText(text: string): JsonValue | undefined {
    const reference = this.#identifiers.findReference(text);
    if (reference !== undefined) {
      return reference;
    }
    return looksLikeIdentifier(text) || this.#containsIdentifier(text) ? undefined : text;
  }

  /**
   * Cleans the settings of a connector. Removes only known identifiers, because names, values, and even nulls have a
   * meaning for the connector. Returns `undefined` if the value is removed.
   */
  #cleanSettings(value: JsonValue): JsonValue | undefined {
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).flatMap((item) => {
        const cleaned = this.#cleanSettings(item);
        return cleaned === undefined ? [] : [cleaned];
      });
    }
    if (isJsonObject(value)) {
      return mapMembers(value, (member, name) =>
        this.#containsIdentifier(name) ? undefined : this.#cleanSettings(member),
      );
    }
    if (typeof value !== 'string') {
      return value;
    }
    return this.#identifiers.findReference(value) ?? (this.#containsIdentifier(value) ? undefined : value);
  }

  #containsIdentifier(text: string): boolean {
    return (
      this.#identifiers.isIdentifier(text) ||
      findIdentifierTexts(text).some((part) => this.#identifiers.isIdentifier(part))
    );
  }
}
