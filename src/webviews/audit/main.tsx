import { render } from 'preact';
import type { FromAudit, ToAudit } from '../protocol/audit.ts';
import { connectHost } from '../shared/host.ts';
import './audit.css';
import { AuditPage } from './auditPage.tsx';

const root = document.querySelector('#root');
if (root !== null) {
  render(<AuditPage host={connectHost<ToAudit, FromAudit>()} />, root);
}
