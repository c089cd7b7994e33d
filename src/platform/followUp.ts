/** The next step that a page offers if it has nothing to confirm, such as applying the plan that it shows. */
export interface FollowUp {
  /** The label of its button. */
  readonly label: string;
  readonly run: () => Promise<void>;
}
