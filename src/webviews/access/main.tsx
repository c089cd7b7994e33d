import { render } from 'preact';
import type { FromAccess } from '../protocol/access.ts';
import type { ToAccessPage } from '../protocol/accessPage.ts';
import { connectHost } from '../shared/host.ts';
import './access.css';
import { AccessPage } from './accessPage.tsx';

const root = document.querySelector('#root');
if (root !== null) {
  render(<AccessPage host={connectHost<ToAccessPage, FromAccess>()} />, root);
}
