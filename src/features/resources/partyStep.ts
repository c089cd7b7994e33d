import * as vscode from 'vscode';
import { knownNames, withoutNamesakes } from '../../connections/knownNames.ts';
import { nameStep } from '../../platform/wizard.ts';
import type { WizardStep } from '../../platform/wizardSteps.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

/**
 * Asks which group or user a rule is for: one that was seen on the instance, or another. The platform lists neither
 * (spec; platform-facts 4), and people know names, not identifiers.
 */
export function partyStep<State extends { readonly party: string }>(
  { deps, connectionId, title }: { deps: ResourcesDeps; connectionId: string; title: string },
  isGroup: (state: State) => boolean,
): WizardStep<State> {
  return nameStep<'party', State>('party', (state) => {
    const { groups, users } = knownNames(deps, connectionId);
    return isGroup(state)
      ? {
          title,
          placeholder: t('A group that was seen on the instance, or its name'),
          names: withoutNamesakes(groups),
          icon: 'organization',
          typed: (name) => t('The group "{0}"', name),
        }
      : {
          title,
          placeholder: t('A user that was seen on the instance, or an identifier'),
          names: withoutNamesakes(users),
          icon: 'person',
          typed: (name) => t('The user with the identifier "{0}"', name),
        };
  });
}
