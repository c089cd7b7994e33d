import { createSeedObjectId } from './seedIds.ts';
import { builtInUsers, type SeedGroup, type SeedTarget, type SeedUser } from './seed.ts';

function createPerson(firstName: string, lastName: string): SeedUser {
  const userName = `${firstName}.${lastName}@sandbox.local`.toLowerCase();
  return { _id: createSeedObjectId(`user/${userName}`), userName, email: userName, firstName, lastName };
}

/** The users of every seed, in addition to the built-in ones. */
export const people = {
  amara: createPerson('Amara', 'Okafor'),
  bruno: createPerson('Bruno', 'Keller'),
  chiara: createPerson('Chiara', 'Rossi'),
  daniel: createPerson('Daniel', 'Novak'),
  elena: createPerson('Elena', 'Petrova'),
  farid: createPerson('Farid', 'Haddad'),
  grace: createPerson('Grace', 'Lindqvist'),
  hiro: createPerson('Hiro', 'Tanaka'),
  ines: createPerson('Ines', 'Moreau'),
  jonas: createPerson('Jonas', 'Berg'),
  kavya: createPerson('Kavya', 'Iyer'),
  liam: createPerson('Liam', 'Doyle'),
} as const satisfies Record<string, SeedUser>;

function createGroup(name: string, ...members: readonly SeedUser[]): SeedGroup {
  return { _id: createSeedObjectId(`group/${name}`), name, members: members.map((member) => member._id) };
}

const { amara, bruno, chiara, daniel, elena, farid, grace, hiro, ines, jonas, kavya, liam } = people;

/** The groups of every seed, including `Sales`, `Finance` and `Executives` (decisions.md, "Sandbox"). */
export const groups = {
  sales: createGroup('Sales', amara, bruno, chiara, daniel, builtInUsers.user),
  salesNorth: createGroup('Sales North', amara, bruno),
  salesSouth: createGroup('Sales South', chiara, daniel),
  finance: createGroup('Finance', elena, farid),
  executives: createGroup('Executives', grace, hiro),
  marketing: createGroup('Marketing', ines, jonas),
  support: createGroup('Support', kavya, liam),
  dataTeam: createGroup('Data Team', builtInUsers.administrator, kavya),
} as const satisfies Record<string, SeedGroup>;

/** Inserts the users and groups; the built-in users already exist. */
export function insertPeople(target: SeedTarget): void {
  for (const user of Object.values(people)) {
    target.insertUser(user);
  }
  for (const group of Object.values(groups)) {
    target.insertGroup(group);
  }
}
