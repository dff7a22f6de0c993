// Source: NETWORK.md 2, on Docker.
import { declareInside } from './inside-suite.ts';

declareInside('docker');
