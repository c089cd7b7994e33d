import { t } from '../t.ts';
import { Button, Icon } from './fields.tsx';

/** The error message and a retry button, instead of content that could not be loaded. */
export function Failure({ message, retry }: { readonly message: string; readonly retry: () => void }) {
  return (
    <div class="empty" role="alert">
      <p>
        <Icon name="error" className="error" /> {message}
      </p>
      <Button label={t('Retry')} isPrimary onClick={retry} />
    </div>
  );
}
