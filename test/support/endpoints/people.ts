import { flag, hexId, list, shape, text } from '../../contract/shapes.ts';
import type { ExamplesOf, Operation } from './example.ts';

/** One operation: a look for one group is a list with a name. */
const groups: Operation = {
  source: 'v1.0 GET /groups',
  statuses: [200],
  answer: list(shape({}, { _id: text, name: text, language: text, mail: text, ad: flag, defaultRole: text })),
};

export const peopleExamples: ExamplesOf<'groups' | 'users'> = {
  'groups.find': {
    call: (client, _names, signal) => client.groups.find('Sales', signal),
    operation: groups,
  },
  'groups.list': {
    call: (client, _names, signal) => client.groups.list({ limit: 10 }, signal),
    operation: groups,
  },
  'users.list': {
    call: (client, _names, signal) => client.users.list({ fields: ['groups'], limit: 10 }, signal),
    operation: {
      source: 'v1.0 GET /users',
      statuses: [200],
      answer: list(
        shape(
          {},
          {
            _id: hexId,
            email: text,
            userName: text,
            firstName: text,
            lastName: text,
            roleId: text,
            active: flag,
            groups: list(hexId),
            adgroups: list(text),
            lastLogin: text,
          },
        ),
      ),
    },
  },
};
