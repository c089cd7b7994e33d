/** The next step that a page offers if it has nothing to confirm, such as applying the plan that it shows. */
export interface FollowUp {
  /** The label of its button. */
  readonly label: string;
  /** Whether it loads another page: then this one stays until that opens, or as it is if the user cancels. */
  readonly loadsPage?: true;
  /** Resolves to true if it's done without another page, so that this one can close. */
  readonly run: () => Promise<unknown>;
}

/** A page that can replace the shown one, such as a plan with other options. */
export interface AlternativePage {
  /** The label of its button. */
  readonly label: string;
  /** Asks what to show. Returns how to show it; `undefined` if the user canceled: the page then stays as it is. */
  readonly prepare: () => Promise<(() => Promise<void>) | undefined>;
}
