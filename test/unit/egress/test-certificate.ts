// A certificate for `npm.test` that signs itself, and its key: made for these tests once, valid for a hundred years, trusted by nobody.

/** The certificate, which is its own authority. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBkTCCATigAwIBAgIUP/rOtIHF0/s2P3qVj0guGbUoy4MwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIbnBtLnRlc3QwIBcNMjYxMTI5MjI1OTIwWhgPMjEyNjExMDUy
MjU5MjBaMBMxETAPBgNVBAMMCG5wbS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE2GKz2lyhNauqtHQJup5jGWhpl0+rpjYbJyF3LC3s89AxQcb2a9pGkqr1
cNBo4KwzmRNGKovdmgubwTG+joNJlKNoMGYwHQYDVR0OBBYEFMgsqhWUGphXjuFf
Pli8qBvJqc8eMB8GA1UdIwQYMBaAFMgsqhWUGphXjuFfPli8qBvJqc8eMA8GA1Ud
EwEB/wQFMAMBAf8wEwYDVR0RBAwwCoIIbnBtLnRlc3QwCgYIKoZIzj0EAwIDRwAw
RAIgdr8UAEHDPT9+Za9swNHHACXZS7YM42zGlNHLrLTS8KwCICo2/UTUeEj4Uyrr
HJePT94NPzyot58RVk8Rcy0FihAp
-----END CERTIFICATE-----
`;

/** Its key. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgySXZUv2a48rniMWr
pDRvbKdq6g2CpRbEAJVVrTvpb+6hRANCAATYYrPaXKE1q6q0dAm6nmMZaGmXT6um
NhsnIXcsLezz0DFBxvZr2kaSqvVw0GjgrDOZE0Yqi92aC5vBMb6Og0mU
-----END PRIVATE KEY-----
`;
