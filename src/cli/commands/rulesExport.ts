import { type JsonValue, stringify } from '../../base/json.ts';
import { countUnimportableRules } from '../../security/ruleTable/countUnimportableRules.ts';
import { formatRuleTable } from '../../security/ruleTable/formatRuleTable.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { RunCommand } from '../command.ts';
import { reportError } from '../errorOutput.ts';
import { exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { refuseProjectFile, writeOutFile } from '../outFile.ts';
import { toInstanceOutput, outputVersion } from '../outputParts.ts';
import { toDatamodelOutput, requireRuleSubjectByTitle } from '../ruleSubjects.ts';
import { readTargetForReading } from '../projectTarget.ts';

/** Writes the rules of a datamodel as a table that `rules import` reads, or as JSON. */
export const rulesExport: RunCommand = async (context) => {
  const { args, shell, output, clock, signal } = context;
  const outputPath = args.getValue('out');
  if (outputPath !== undefined) {
    await refuseProjectFile(outputPath);
  }
  const target = await readTargetForReading({ args, shell });
  const instance = openInstance(target, shell, clock);
  try {
    const session = await instance.getSession();
    const subject = await requireRuleSubjectByTitle(session, args.getValue('datamodel') ?? '');
    const document = await new DocumentReader(session.client, signal).readDocument({
      kind: 'rules',
      subject,
    });
    if (!Array.isArray(document)) {
      return reportError(context, {
        command: 'rules export',
        message: `The server returned no rules for ${args.getValue('datamodel')}.`,
        exitCode: exitCodes.unknown,
      });
    }
    const rules: readonly JsonValue[] = document;
    const format = args.getValue('format') ?? 'csv';
    const value = {
      version: outputVersion,
      command: 'rules export',
      instance: toInstanceOutput(target.connection),
      datamodel: toDatamodelOutput(subject),
      rules,
    };
    const formatTable = (): string => formatRuleTable(rules, format === 'tsv' ? 'tsv' : 'csv');
    if (outputPath !== undefined) {
      await writeOutFile(outputPath, format === 'json' ? `${stringify(value, 2)}\n` : formatTable());
    } else if (format === 'json') {
      output.printJson(value);
    } else {
      output.printRaw(formatTable());
    }
    const count = countUnimportableRules(rules);
    if (count > 0) {
      output.printMessage(
        `Warning: ${count} of the rules can't be imported: the access is "unclear", or the table, column, data type, or party is missing or unknown. Correct them in the table first.`,
      );
    }
    output.printMessage(`${rules.length} ${rules.length === 1 ? 'rule' : 'rules'} exported.`);
    return exitCodes.done;
  } finally {
    instance.dispose();
  }
};
