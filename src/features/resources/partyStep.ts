import * as vscode from 'vscode';
import { filterNamesWithId, getKnownNames } from '../../connections/knownNames.ts';
import { createNameStep } from '../../platform/wizard.ts';
import type { WizardStep } from '../../platform/wizardSteps.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

/**
 * Creates the step that asks for the group or user of a rule: a known one, or any text, which is resolved to an ID
 * later (see `resolveTypedParty`), since users know names rather than IDs.
 */
export function createPartyStep<State extends { readonly party: string }>(
  { deps, connectionId, title }: { deps: ResourcesDeps; connectionId: string; title: string },
  isGroup: (state: State) => boolean,
): WizardStep<State> {
  return createNameStep<'party', State>('party', (state) => {
    const { groups, users } = getKnownNames(deps, connectionId);
    return isGroup(state)
      ? {
          title,
          placeholder: t('Group name or ID'),
          names: filterNamesWithId(groups),
          icon: 'organization',
          formatTypedName: (name) => t('Group "{0}"', name),
        }
      : {
          title,
          placeholder: t('User name, email address, or ID'),
          names: filterNamesWithId(users),
          icon: 'person',
          formatTypedName: (name) => t('User "{0}"', name),
        };
  });
}
