/** The next step that a page offers if it has nothing to confirm, such as applying the plan that it shows. */
export interface FollowUp {
  /** The label of its button. */
  readonly label: string;
  /**
   * Whether the step loads another page. The page that offers the step then stays open until the other page opens, and
   * if the user cancels.
   */
  readonly loadsPage?: true;
  /** Takes the step. Resolves to true if no other page was opened and the page that offers the step can close. */
  readonly run: () => Promise<unknown>;
}

/** A page that can replace the shown one, such as a plan with other options. */
export interface AlternativePage {
  /** The label of its button. */
  readonly label: string;
  /** Asks what to show. Returns how to show it; `undefined` if the user canceled: the page then stays as it is. */
  readonly prepare: () => Promise<(() => Promise<void>) | undefined>;
}
