import { defineConfig } from 'vitest/config';

/** Unit tests are pure; integration tests talk to the built sandbox process over a real socket. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/seed.ts'],
          include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
          pool: 'threads',
          // Speed is told by the benches: here a slow machine may take its time.
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          setupFiles: ['test/support/seed.ts'],
          include: ['test/integration/**/*.test.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
