// Source: NETWORK.md 2, on Podman.
import { declareInside } from './inside-suite.ts';

declareInside('podman');
