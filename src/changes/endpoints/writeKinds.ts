import type { Write, WriteEndpointId } from '../model/operation.ts';
import type { WriteKind, WriteKinds } from '../model/writeKind.ts';

type AreaOf<Id extends string> = Id extends `${infer Area}.${string}` ? Area : never;
type WriteArea = AreaOf<WriteEndpointId>;

/**
 * Loads the write kinds of all endpoints that change a document, by area. A missing area or endpoint is a compile
 * error. An area is loaded only when a write needs it.
 */
const areas: { readonly [Area in WriteArea]: () => Promise<WriteKinds<Area>> } = {
  datamodels: async () => (await import('./datamodels.ts')).datamodelKinds,
  datasets: async () => (await import('./datasets.ts')).datasetKinds,
  tables: async () => (await import('./tables.ts')).tableKinds,
  relations: async () => (await import('./relations.ts')).relationKinds,
  extractRules: async () => (await import('./extractRules.ts')).extractRuleKinds,
  liveRules: async () => (await import('./liveRules.ts')).liveRuleKinds,
  viewpoints: async () => (await import('./viewpoints.ts')).viewpointKinds,
  customData: async () => (await import('./customData.ts')).customDataKinds,
};

type EndpointWrite = Pick<Write, 'endpoint'>;

/** Returns the kind of a write. @throws if the kind of its endpoint was not loaded */
export type WriteKindLookup = (write: EndpointWrite) => WriteKind;

/** Loads the kinds of writes. */
export async function loadWriteKinds(writes: readonly EndpointWrite[]): Promise<WriteKindLookup> {
  const neededAreas = new Set(writes.map(({ endpoint }) => endpoint.split('.')[0] as WriteArea));
  const loadedAreas = await Promise.all(Array.from(neededAreas, (area) => areas[area]()));
  const kinds = new Map<string, WriteKind>(loadedAreas.flatMap((area) => Object.entries(area)));
  return ({ endpoint }) => {
    const kind = kinds.get(endpoint);
    if (kind === undefined) {
      throw new Error(`The kind of ${endpoint} was not loaded`);
    }
    return kind;
  };
}

/** Loads the kind of one write. */
export const loadWriteKind = async (write: EndpointWrite): Promise<WriteKind> =>
  (await loadWriteKinds([write]))(write);
