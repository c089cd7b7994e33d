import { inject } from 'vitest';
import type { ProfileName } from '../../src/sandbox/profiles/profile.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The profile of the platform that the sandboxes of a project follow (vitest.config.ts). */
    readonly profile: ProfileName;
  }
}

/** The profile of the sandboxes that these tests start: the integration tests run once with each. */
export const sandboxProfile: ProfileName = inject('profile');
