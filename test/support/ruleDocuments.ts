/** The fields of a rule that identify its column, Customers.Segment of Retail, as JSON text. */
export const segmentRuleHead: string =
  '"server": "LocalHost", "elasticube": "Retail", "table": "Customers", "column": "Segment", "datatype": "text"';

/** The text of a rule that grants one group access to everything, with a comment. */
export const segmentRuleText: string = `{
  // One rule.
  ${segmentRuleHead},
  "members": [], "allMembers": true, "exclusionary": false,
  "shares": [{ "party": "g1", "partyName": "Sales", "type": "group" }]
}
`;
