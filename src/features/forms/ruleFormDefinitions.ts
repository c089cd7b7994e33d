import * as vscode from 'vscode';
import { isJsonObject } from '../../base/json.ts';
import type { RuleQuestion } from '../../webviews/protocol/formQuestions.ts';
import { ruleQuestionSchema } from '../../webviews/protocol/formQuestionSchemas.ts';
import { createFormMessageSchema } from '../../webviews/protocol/createFormMessageSchema.ts';
import { applyRuleSetEdit } from '../../security/form/applyRuleEdit.ts';
import { readRuleFields, getDocumentRules } from '../../security/form/readRuleFields.ts';
import { rebaseRuleSetEdit } from '../../security/form/rebaseRuleEdit.ts';
import type { RuleSetFormEdit } from '../../security/form/ruleEdit.ts';
import { ruleSetEditSchema } from '../../security/form/ruleEditSchema.ts';
import { lintRules } from '../../security/index.ts';
import { getLintTemplate } from '../../security/lint/lintMessage.ts';
import type { FormDefinition } from './formDefinition.ts';
import { promptForRuleEdit } from './promptForRuleEdit.ts';

/** Creates the definition of the form for a single rule, or for a set of rules. */
function createRuleFormDefinition(isRuleSet: boolean): FormDefinition<RuleSetFormEdit, RuleQuestion> {
  return {
    bundle: 'ruleForm',
    emptyValue: isRuleSet ? [] : {},
    schema: createFormMessageSchema(ruleSetEditSchema, ruleQuestionSchema),
    apply: applyRuleSetEdit,
    rebase: rebaseRuleSetEdit,
    getDatamodelTitle: (value) =>
      getDocumentRules(value)
        .map((rule) => readRuleFields(rule).datamodel)
        .find((title) => title !== '') ?? '',
    getValueColumns: (value) => getDocumentRules(value).map(readRuleFields),
    validate: (_text, value, catalog, knownValues) =>
      lintRules(getDocumentRules(value), catalog, knownValues)
        // A single rule does not show whether the column has a default rule.
        .filter(({ code }) => isRuleSet || code !== 'no-default-rule')
        .map(({ index, code, severity, args, path }) => ({
          code,
          severity,
          message: vscode.l10n.t(getLintTemplate(code, args), ...args),
          path: isJsonObject(value) ? path : [index, ...path],
        })),
    prompt: promptForRuleEdit,
  };
}

export const singleRuleFormDefinition = createRuleFormDefinition(false);
export const ruleSetFormDefinition = createRuleFormDefinition(true);
