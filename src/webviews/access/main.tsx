import { render } from 'preact';
import type { FromAccess, ToAccess } from '../protocol/access.ts';
import { connectHost } from '../shared/host.ts';
import './access.css';
import { AccessPage } from './accessPage.tsx';

const root = document.querySelector('#root');
if (root !== null) {
  render(<AccessPage host={connectHost<ToAccess, FromAccess>()} />, root);
}
