import { demoSeed } from './demo/demo.ts';
import { largeSeed } from './large.ts';
import { insertPeople } from './people.ts';
import type { Seed, SeedName } from './seed.ts';

/** The empty seed: only users and groups. */
const emptySeed: Seed = {
  name: 'empty',
  apply(target) {
    insertPeople(target);
  },
};

/** All seeds by name. A seed applies to an empty folder only (decisions.md, "Sandbox"). */
export const seeds: Readonly<Record<SeedName, Seed>> = { demo: demoSeed, empty: emptySeed, large: largeSeed };
