import { booleanShape, objectShape } from '../../contract/shapes.ts';
import type { AreaExamples } from './example.ts';

export const sessionExamples: AreaExamples<'session'> = {
  'session.check': {
    call: (client, _args, signal) => client.session.check(signal),
    vendorOperation: {
      signature: 'v0.9 GET /auth/isauth',
      statuses: [200],
      response: objectShape({}, { isAuthenticated: booleanShape }),
    },
    deviations: [
      {
        name: 'letter case',
        profile: 'guide',
        side: 'response',
        pattern: /^\/isauthenticated$/,
        reason: 'The guide spells it isauthenticated.',
      },
    ],
  },
};
