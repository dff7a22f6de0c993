// Modules that a Python, Node or Perl program asks for and that are not there, and what brings them.
import type { HintRule } from './hint-kinds.ts';
import type { Hint } from './hints.ts';

/** Packages of pip whose module has another name. */
const pipNames = new Map(
  Object.entries({
    ...{ bs4: 'beautifulsoup4', Crypto: 'pycryptodome', cv2: 'opencv-python-headless', dateutil: 'python-dateutil', docx: 'python-docx' },
    ...{ dotenv: 'python-dotenv', git: 'GitPython', jwt: 'PyJWT', MySQLdb: 'mysqlclient', OpenSSL: 'pyOpenSSL', PIL: 'Pillow' },
    ...{ psycopg2: 'psycopg2-binary', serial: 'pyserial', skimage: 'scikit-image', sklearn: 'scikit-learn', yaml: 'PyYAML' },
  }),
);

/** Parts of Python that Debian keeps in packages of their own. */
const debianNames = new Map(
  Object.entries({
    ...{ apt: 'python3-apt', apt_pkg: 'python3-apt', dbus: 'python3-dbus', distutils: 'python3-distutils', ensurepip: 'python3-venv' },
    ...{ gi: 'python3-gi', lib2to3: 'python3-lib2to3', pip: 'python3-pip', tkinter: 'python3-tk', venv: 'python3-venv' },
  }),
);

const missing = (name: string, nextAction: string): Hint => ({
  code: 'missing_module',
  hint: `The module "${name}" is not installed.`,
  nextAction,
});

const forPython = (module: string): Hint => {
  const top = module.split('.')[0] ?? module;
  const debian = debianNames.get(top);
  if (debian !== undefined) return missing(module, `Add "${debian}" to the recipe's apt packages, or: sudo apt-get install -y ${debian}`);
  const name = pipNames.get(top) ?? top;
  return missing(
    module,
    `Install it into a virtual environment before this line, and run its Python: /workspace/.venv/bin/pip install ${name}`,
  );
};

/** A path is a file that is not there; a name is a package. */
const forNode = (module: string): Hint =>
  /^\.{0,2}\//.test(module)
    ? {
        code: 'no_such_file',
        hint: `There is no file or folder "${module}" in the sandbox.`,
        nextAction: 'Check the path, and whether a build has to make the file first.',
      }
    : missing(module, `Install it in the folder of the program before this line: npm install ${module}`);

const forPerl = (file: string): Hint => {
  const name = file.replaceAll('/', '::');
  return missing(name, `Its package in Debian is most often called lib${name.replaceAll('::', '-').toLowerCase()}-perl.`);
};

/** What an interpreter could not load. */
export const missingModule: HintRule = ({ stderrTail }) => {
  const python = /No module named '?([\w.]+)'?/.exec(stderrTail)?.[1];
  if (python !== undefined) return forPython(python);
  const node = /Cannot find (?:module|package) '([^']+)'/.exec(stderrTail)?.[1];
  if (node !== undefined) return forNode(node);
  const perl = /Can't locate (\S+)\.pm in @INC/.exec(stderrTail)?.[1];
  return perl === undefined ? null : forPerl(perl);
};
