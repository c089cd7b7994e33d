import { demo } from './demo/demo.ts';
import { large } from './large.ts';
import { insertPeople } from './people.ts';
import type { Seed, SeedName } from './port.ts';

/** The empty seed: only users and groups. */
const empty: Seed = {
  name: 'empty',
  apply(store) {
    insertPeople(store);
  },
};

/** All seeds by name. A seed applies to an empty folder only (decisions.md, "Sandbox"). */
export const seeds: Readonly<Record<SeedName, Seed>> = { demo, empty, large };
