/** The factor by which tests run more often than usual: 1, or the value set by `npm run soak`. */
export const soakFactor = Math.max(1, Number(process.env['SOAK'] ?? '') || 1);

/** True if this is `npm run soak`. */
export const isSoak = soakFactor > 1;

/**
 * The number of runs of a property test that checks that random input of one kind never causes an exception. There are
 * five kinds (SQL, JSON, rules, responses and filters), so a soak tests a million inputs.
 */
export const getInputRuns = (defaultRuns: number): number => (isSoak ? 200_000 : defaultRuns);

/** The number of runs of a property test: the given number, multiplied in a soak. */
export const getPropertyRuns = (defaultRuns: number): number => Math.round(defaultRuns * soakFactor);
