import * as vscode from 'vscode';
import { isJsonObject } from '../../base/json.ts';
import type { RuleQuestion } from '../../webviews/protocol/formQuestions.ts';
import { ruleQuestionSchema } from '../../webviews/protocol/formQuestionSchemas.ts';
import { fromFormSchema } from '../../webviews/protocol/fromFormSchema.ts';
import { applyRuleSetEdit } from '../../security/form/applyRuleEdit.ts';
import { readRuleFields, rulesOf } from '../../security/form/readRuleFields.ts';
import { rebaseRuleSetEdit } from '../../security/form/rebaseRuleEdit.ts';
import type { RuleSetEdit } from '../../security/form/ruleEdit.ts';
import { ruleSetEditSchema } from '../../security/form/ruleEditSchema.ts';
import { lintRules } from '../../security/index.ts';
import { lintText } from '../../security/lint/lintMessage.ts';
import type { FormDefinition } from './definition.ts';
import { askRule } from './askRule.ts';

/** The form of one rule or of a set of rules; they differ in what stands for an empty document. */
function ruleDefinition(isSet: boolean): FormDefinition<RuleSetEdit, RuleQuestion> {
  return {
    bundle: 'ruleForm',
    empty: isSet ? [] : {},
    schema: fromFormSchema(ruleSetEditSchema, ruleQuestionSchema),
    apply: applyRuleSetEdit,
    rebase: rebaseRuleSetEdit,
    datamodelOf: (value) =>
      rulesOf(value)
        .map((rule) => readRuleFields(rule).datamodel)
        .find((title) => title !== '') ?? '',
    problems: (_text, value, catalog) =>
      lintRules(rulesOf(value), catalog)
        // Whether others have a default rule cannot be told from one rule alone.
        .filter(({ code }) => isSet || code !== 'no-default-rule')
        .map(({ index, code, severity, args, path }) => ({
          code,
          severity,
          message: vscode.l10n.t(lintText(code, args), ...args),
          path: isJsonObject(value) ? path : [index, ...path],
        })),
    ask: askRule,
  };
}

export const oneRuleDefinition = ruleDefinition(false);
export const ruleSetDefinition = ruleDefinition(true);
