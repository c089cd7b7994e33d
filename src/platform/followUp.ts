/** What a page without anything to confirm offers to do next, such as to apply the plan that it shows. */
export interface FollowUp {
  /** The label of its button. */
  readonly label: string;
  readonly run: () => Promise<void>;
}
