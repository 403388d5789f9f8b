# Users, keys, certificates and the configuration of sshd. Part of up.sh.

make_user() {
  local u=$1 home=$DIR/home/$1 have
  if have=$(getent passwd "$u"); then
    have=$(cut -d: -f6 <<<"$have")
    if [[ $have != "$home" ]]; then
      [[ -d $have ]] && die "user $u exists with home $have: choose other names with CLUSTER_USER / CLUSTER_CERT_USER"
      usermod -d "$home" "$u" >&2 || die "usermod $u failed"
    fi
  else
    # '*' is "no password", not "locked": sshd without PAM refuses locked accounts ('!').
    useradd -M -d "$home" -s /bin/bash -p '*' "$u" >&2 || die "useradd $u failed"
    echo "$u" >>"$DIR/created-users"
  fi
  mkdir -p "$home"; chown "$u:" "$home"; chmod 750 "$home"
  setpriv --reuid="$u" --regid="$(id -g "$u")" --clear-groups test -w "$home" ||
    die "$u cannot reach $home: every parent of $DIR must be traversable by other users"
}
make_user "$USER_PLAIN"
make_user "$USER_CERT"

# --- keys and certificates ----------------------------------------------------------
S=$DIR/ssh
keygen() { [[ -s $1 ]] || ssh-keygen -q -t "$2" ${3:+-b "$3"} -N '' -C "$(basename "$1")" -f "$1" || die "ssh-keygen $1"; }
keygen "$S/host_ed25519" ed25519
keygen "$S/host_rsa" rsa 3072
keygen "$S/ca" ed25519
keygen "$S/other_ca" ed25519
keygen "$S/id_plain" ed25519
keygen "$S/id_cert_ed25519" ed25519
keygen "$S/id_cert_rsa" rsa 3072
keygen "$S/id_cert_ecdsa" ecdsa 256
# sign CA KEY CERT ID PRINCIPALS VALIDITY
SERIAL=$(date +%s)000
sign() {
  local tmp
  tmp=$(mktemp -d) && cp "$2.pub" "$tmp/k.pub" &&
    ssh-keygen -q -s "$1" -I "$4" -n "$5" -V "$6" -z "$(( ++SERIAL ))" "$tmp/k.pub" &&
    mv "$tmp/k-cert.pub" "$3" && rm -rf "$tmp" || die "signing $3"
}
for t in ed25519 rsa ecdsa; do
  sign "$S/ca" "$S/id_cert_$t" "$S/id_cert_$t-cert.pub" "bridge-$t" "$USER_PLAIN,$USER_CERT" -5m:+52w
done
sign "$S/ca"  "$S/id_cert_ed25519" "$S/bad_expired-cert.pub"   expired   "$USER_CERT" 20200101:20200102
sign "$S/ca"  "$S/id_cert_ed25519" "$S/bad_principal-cert.pub" principal nobody-here  -5m:+52w
sign "$S/other_ca" "$S/id_cert_ed25519" "$S/bad_ca-cert.pub"        other-ca  "$USER_CERT" -5m:+52w
cp "$S/id_plain.pub" "$S/authorized_keys/$USER_PLAIN"
rm -f "$S/authorized_keys/$USER_CERT"
chmod 600 "$S"/{ca,other_ca,id_plain,id_cert_ed25519,id_cert_rsa,id_cert_ecdsa,host_ed25519,host_rsa}
# called through sudo: the caller must be able to read the client side's keys
[[ -z ${SUDO_UID:-} ]] || chown "$SUDO_UID" "$S"/{ca,id_plain,id_cert_ed25519,id_cert_rsa,id_cert_ecdsa}
{
  echo "[127.0.0.1]:$P_SSH $(cut -d' ' -f1,2 "$S/host_ed25519.pub")"
  echo "[127.0.0.1]:$P_SSH $(cut -d' ' -f1,2 "$S/host_rsa.pub")"
} >"$S/known_hosts"

cat >"$S/sshd_config" <<CONF
Port $P_SSH
ListenAddress 127.0.0.1
HostKey $S/host_ed25519
HostKey $S/host_rsa
PidFile $DIR/run/sshd.pid
AuthorizedKeysFile $S/authorized_keys/%u
TrustedUserCAKeys $S/ca.pub
# The directory may lie under /tmp, whose mode strict checks refuse.
StrictModes no
AuthenticationMethods publickey
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PermitRootLogin no
AllowUsers $USER_PLAIN $USER_CERT
AllowTcpForwarding no
AllowAgentForwarding no
X11Forwarding no
PrintMotd no
PrintLastLog no
UseDNS no
LogLevel VERBOSE
Subsystem sftp internal-sftp
# What /etc/slurm/slurm.conf would be on a login node.
SetEnv SLURM_CONF=$DIR/slurm.conf
CONF
