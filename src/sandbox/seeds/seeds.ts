import { demo } from './demo/demo.ts';
import { large } from './large.ts';
import { insertPeople } from './people.ts';
import type { Seed, SeedName } from './port.ts';

/** Only users and groups. */
const empty: Seed = {
  name: 'empty',
  apply(store) {
    insertPeople(store);
  },
};

/** The seeds that `--seed` chooses from; a seed applies to an empty folder only (decisions.md, "Sandbox"). */
export const seeds: Readonly<Record<SeedName, Seed>> = { demo, empty, large };
