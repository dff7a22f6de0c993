// Source: NETWORK.md 2 and 3.3, on Docker, by the way of runtimes in virtual machines.
import { declareInside } from './inside-suite.ts';

declareInside('docker', 'tcp');
