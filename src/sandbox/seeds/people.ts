import { objectId } from './ids.ts';
import { builtInUsers, type SeedGroup, type SeedTarget, type SeedUser } from './port.ts';

function person(firstName: string, lastName: string): SeedUser {
  const userName = `${firstName}.${lastName}@sandbox.local`.toLowerCase();
  return { _id: objectId(`user/${userName}`), userName, email: userName, firstName, lastName };
}

/** The people of every seed. */
export const people = {
  amara: person('Amara', 'Okafor'),
  bruno: person('Bruno', 'Keller'),
  chiara: person('Chiara', 'Rossi'),
  daniel: person('Daniel', 'Novak'),
  elena: person('Elena', 'Petrova'),
  farid: person('Farid', 'Haddad'),
  grace: person('Grace', 'Lindqvist'),
  hiro: person('Hiro', 'Tanaka'),
  ines: person('Ines', 'Moreau'),
  jonas: person('Jonas', 'Berg'),
  kavya: person('Kavya', 'Iyer'),
  liam: person('Liam', 'Doyle'),
} as const satisfies Record<string, SeedUser>;

function group(name: string, ...members: readonly SeedUser[]): SeedGroup {
  return { _id: objectId(`group/${name}`), name, members: members.map((member) => member._id) };
}

const { amara, bruno, chiara, daniel, elena, farid, grace, hiro, ines, jonas, kavya, liam } = people;

/** The groups of every seed; `Sales`, `Finance` and `Executives` are those of design.md, section 5. */
export const groups = {
  sales: group('Sales', amara, bruno, chiara, daniel, builtInUsers.user),
  salesNorth: group('Sales North', amara, bruno),
  salesSouth: group('Sales South', chiara, daniel),
  finance: group('Finance', elena, farid),
  executives: group('Executives', grace, hiro),
  marketing: group('Marketing', ines, jonas),
  support: group('Support', kavya, liam),
  dataTeam: group('Data Team', builtInUsers.administrator, kavya),
} as const satisfies Record<string, SeedGroup>;

/** Puts users and groups into an empty sandbox; the users behind the tokens are there already. */
export function insertPeople(store: SeedTarget): void {
  for (const user of Object.values(people)) {
    store.insertUser(user);
  }
  for (const each of Object.values(groups)) {
    store.insertGroup(each);
  }
}
