/** How many times more than usual is tried: 1, or what `npm run soak` says. */
export const soakFactor = Math.max(1, Number(process.env['SOAK'] ?? '') || 1);

/** Whether this is `npm run soak`. */
export const isSoak = soakFactor > 1;

/**
 * Runs of a property that says of some kind of input that none throws. There are five kinds (SQL, JSON, rules, answers
 * and filters), and a soak tries a million inputs.
 */
export const getInputRuns = (few: number): number => (isSoak ? 200_000 : few);

/** Runs of a property: few in the gate, many in a soak. */
export const getPropertyRuns = (few: number): number => Math.round(few * soakFactor);
