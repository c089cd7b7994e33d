import { booleanShape, objectShape } from '../../contract/shapes.ts';
import type { ExamplesOf } from './example.ts';

export const sessionExamples: ExamplesOf<'session'> = {
  'session.check': {
    call: (client, _names, signal) => client.session.check(signal),
    operation: {
      source: 'v0.9 GET /auth/isauth',
      statuses: [200],
      answer: objectShape({}, { isAuthenticated: booleanShape }),
    },
    deviations: [
      {
        name: 'letter case',
        profile: 'guide',
        side: 'answer',
        at: /^\/isauthenticated$/,
        reason: 'The guide writes isauthenticated.',
      },
    ],
  },
};
