import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { isJsonObject } from '../base/json.ts';
import type { ValueStorage } from '../base/valueStorage.ts';
import { getBaseConnectionId, getTenantConnectionId, isTenantId } from '../catalog/tenantConnection.ts';

/** The tenants of a connection, as stored. */
interface StoredTenants {
  readonly selected?: string;
  readonly recent: readonly string[];
}

/** Maximum number of remembered tenants of a connection. */
const maxRecent = 20;

/** The tenant that the viewpoints of each connection are shown for (rest-api.md, "Viewpoint API"). */
export class SelectedTenants implements Disposable {
  readonly #storage: ValueStorage;
  readonly #onDidChange = new Emitter<string>();
  /** Fires with the ID of a connection when another tenant was selected for it. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** The selected tenant; `undefined` for that of the connection itself. */
  get(connectionId: string): string | undefined {
    return this.#read()[connectionId]?.selected;
  }

  /** The tenants that were selected before, the latest first. */
  getRecent(connectionId: string): readonly string[] {
    return this.#read()[connectionId]?.recent ?? [];
  }

  /** The ID of the connection for requests on behalf of the selected tenant. */
  getConnectionId(connectionId: string): string {
    const tenantId = this.get(connectionId);
    return tenantId === undefined ? connectionId : getTenantConnectionId(connectionId, tenantId);
  }

  /** Selects a tenant; `undefined` for that of the connection itself. */
  select(connectionId: string, tenantId: string | undefined): void {
    const baseId = getBaseConnectionId(connectionId);
    const recent = this.getRecent(baseId);
    this.#storage.write({
      ...this.#read(),
      [baseId]:
        tenantId === undefined
          ? { recent }
          : {
              selected: tenantId,
              recent: [tenantId, ...recent.filter((other) => other !== tenantId)].slice(0, maxRecent),
            },
    });
    this.#onDidChange.fire(baseId);
  }

  /** Forgets the tenants of a connection that was removed. */
  forget(connectionId: string): void {
    const { [connectionId]: _removed, ...others } = this.#read();
    this.#storage.write(others);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #read(): Readonly<Record<string, StoredTenants>> {
    const stored = this.#storage.read();
    const entries = isJsonObject(stored) ? Object.entries(stored) : [];
    return Object.fromEntries(
      entries.flatMap(([connectionId, entry]) => {
        const tenants = readTenants(entry);
        return tenants === undefined ? [] : [[connectionId, tenants]];
      }),
    );
  }
}

/** Returns `undefined` for an unreadable entry, so that the others are not lost. */
function readTenants(entry: unknown): StoredTenants | undefined {
  const { selected, recent } = isJsonObject(entry) ? entry : {};
  if (!Array.isArray(recent) || !recent.every(isStoredTenantId)) {
    return undefined;
  }
  if (selected === undefined) {
    return { recent };
  }
  return isStoredTenantId(selected) ? { selected, recent } : undefined;
}

const isStoredTenantId = (value: unknown): value is string => typeof value === 'string' && isTenantId(value);
