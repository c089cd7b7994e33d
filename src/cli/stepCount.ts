/** Formats how many steps of a change were done, such as `2 of 4 steps`. */
export const formatStepCount = ({ done, total }: { readonly done: number; readonly total: number }): string =>
  `${done} of ${total} ${total === 1 ? 'step' : 'steps'}`;
