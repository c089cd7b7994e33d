import { booleanShape, hexIdShape, listShape, objectShape, textShape } from '../../contract/shapes.ts';
import type { AreaExamples, VendorOperation } from './example.ts';

/** The operation of both endpoints: finding a group is listing groups with a filter by name. */
const groups: VendorOperation = {
  signature: 'v1.0 GET /groups',
  statuses: [200],
  response: listShape(
    objectShape(
      {},
      {
        _id: textShape,
        name: textShape,
        language: textShape,
        mail: textShape,
        ad: booleanShape,
        defaultRole: textShape,
      },
    ),
  ),
};

export const peopleExamples: AreaExamples<'groups' | 'users'> = {
  'groups.find': {
    call: (client, _args, signal) => client.groups.find('Sales', signal),
    vendorOperation: groups,
  },
  'groups.list': {
    call: (client, _args, signal) => client.groups.list({ limit: 10 }, signal),
    vendorOperation: groups,
  },
  'users.list': {
    call: (client, _args, signal) => client.users.list({ fields: ['groups'], limit: 10 }, signal),
    vendorOperation: {
      signature: 'v1.0 GET /users',
      statuses: [200],
      response: listShape(
        objectShape(
          {},
          {
            _id: hexIdShape,
            email: textShape,
            userName: textShape,
            firstName: textShape,
            lastName: textShape,
            roleId: textShape,
            active: booleanShape,
            groups: listShape(hexIdShape),
            adgroups: listShape(textShape),
            lastLogin: textShape,
          },
        ),
      ),
    },
  },
};
