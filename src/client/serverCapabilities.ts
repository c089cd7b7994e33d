/** The two forms in which servers take the rules of a live datamodel on the plain path. */
export type LiveRuleForm = 'object' | 'array';

/**
 * What was found out about how a server reads requests, kept as long as its client. The spec and the vendor's contract
 * differ, and servers of both kinds are met: nothing here is assumed, all of it was shown by an answer. Undefined means
 * not known yet.
 */
export interface ServerCapabilities {
  /** What the plain path of live rules takes: one rule (contract v1.0) or an array (spec). */
  liveRuleForm?: LiveRuleForm | undefined;
  /** The other form was tried in vain since the last success: a refusal is about what the rules say. */
  liveRuleFormIsSure?: boolean | undefined;
  /** Which form is tried first while nothing is known. */
  liveRuleFormToTry?: LiveRuleForm | undefined;
  /** An array was refused where one rule by itself was taken. */
  refusesLiveRuleArray?: boolean | undefined;
  /** Whether the server has `…/datasecurity/addMany`. */
  addsManyLiveRules?: boolean | undefined;
  /** Whether rules of live datamodels show `exclusionary` (contract v1.0), or come without it (spec). */
  showsLiveExclusion?: boolean | undefined;
  /** False where a list of datamodels was refused, or could not be read, for its `fields`. */
  takesListFields?: boolean | undefined;
  /** Whether a custom table is created with an empty array of columns (contract v2.0, TableInput). */
  customTablesNeedColumns?: boolean | undefined;
}
