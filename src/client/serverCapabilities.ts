/** The two forms in which servers accept the rules of a live datamodel on the plain path. */
export type LiveRuleForm = 'object' | 'array';

/**
 * What was detected about the requests that a server accepts, kept for the lifetime of its client. The guide and the
 * vendor's contract differ, and both kinds of server exist: nothing here is assumed, every value comes from a response.
 * Undefined means not known yet.
 */
export interface ServerCapabilities {
  /**
   * The form that the plain path of live rules accepts: one rule (platform-facts.md, 6.2) or an array
   * (rest-api.md, "Data security, live datamodels").
   */
  liveRuleForm?: LiveRuleForm | undefined;
  /**
   * True if the other form was also refused since the last success: a further refusal then concerns the content of the
   * rules, and no other form is tried.
   */
  isLiveRuleFormFinal?: boolean | undefined;
  /** The form to try first while nothing is known. */
  liveRuleFormToTry?: LiveRuleForm | undefined;
  /** True if an array was refused where a single rule was accepted. */
  refusesLiveRuleArray?: boolean | undefined;
  /** True if the server has `…/datasecurity/addMany`. */
  supportsAddMany?: boolean | undefined;
  /**
   * True if rules of live datamodels contain `exclusionary` (platform-facts.md, 6.2), false if they lack it
   * (rest-api.md, "Data security rule, live datamodel").
   */
  returnsLiveExclusionary?: boolean | undefined;
  /** False if a list of datamodels with `fields` was refused, could not be read, or lacked requested fields. */
  supportsListFields?: boolean | undefined;
  /**
   * False if the last change of rules was refused because the user of the token is no administrator, true if it wasn't:
   * no request reports the role of a user (rest-api.md, "Authentication" 2).
   */
  allowsRuleChanges?: boolean | undefined;
  /** True if a custom table must be created with an empty array of columns (platform-facts.md, "TableInput"). */
  customTablesNeedColumns?: boolean | undefined;
}
