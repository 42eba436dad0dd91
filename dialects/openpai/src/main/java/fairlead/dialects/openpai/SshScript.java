package fairlead.dialects.openpai;

import java.util.Map;

/**
 * What a task does before its command so that one can log in to it (items O77 to O79), as lines of
 * bash. Where the launch has given it the job's key pair, it starts an SSH server on its port, if
 * there is one in its surroundings, and lets {@code ssh ROLE-INDEX} find the other tasks. Nothing
 * in here ends the task: a job without SSH is still a job.
 *
 * <p>The server listens only where the other tasks look for this one: on a machine of one's own
 * that is the loopback, so that a job opens no door to the network.
 *
 * <p>All files are in a folder of their own that goes with the task, because a task may be a
 * process of a person who has their own {@code ~/.ssh}. So {@code ssh} is a function of the shell
 * that names this folder's configuration; programs that call ssh themselves pass {@code -F
 * "$FAIRLEAD_SSH_CONFIG"}.
 */
public final class SshScript {
    /** What {@link StartCommand} evaluates before the command. */
    static final String BEFORE = "FAIRLEAD_BEFORE";

    /** For the shell that runs the command. */
    private static final String LINES =
            """
            pai_ssh() {
              local key=$FAIRLEAD_SSH_PRIVATE_KEY
              unset FAIRLEAD_SSH_PRIVATE_KEY
              command -v ssh-keygen ssh >/dev/null || {
                echo "warning: there is no OpenSSH here, so nobody can log in to this task" >&2
                return 0
              }
              pai_ssh_dir=$(umask 077; mktemp -d "${TMPDIR:-/tmp}/pai-ssh.XXXXXX") || return 0
              # The server last: its end, while bash waits for rm, can make bash complain of a lost child.
              trap 'rm -rf "$pai_ssh_dir"; kill $pai_sshd 2>/dev/null' EXIT
              (umask 077; printf '%s\\n' "$key" >"$pai_ssh_dir/key")
              printf '%s\\n' "$FAIRLEAD_SSH_PUBLIC_KEY" >"$pai_ssh_dir/authorized_keys"
              export FAIRLEAD_SSH_CONFIG="$pai_ssh_dir/config"
              awk 'BEGIN {
                roles = split(ENVIRON["PAI_JOB_TASK_ROLE_LIST"], role, ",")
                for (r = 1; r <= roles; r++) {
                  hosts = split(ENVIRON["PAI_TASK_ROLE_" role[r] "_HOST_LIST"], host, ",")
                  for (h = 1; h <= hosts; h++) {
                    sub(/:[0-9]+$/, "", host[h])
                    if (!split(ENVIRON["PAI_" role[r] "_" (h - 1) "_ssh_PORT"], port, ",")) continue
                    print "Host " role[r] "-" (h - 1) "\\n HostName " host[h] "\\n Port " port[1]
                  }
                }
              }' >"$FAIRLEAD_SSH_CONFIG"
              printf 'Host *\\n User %s\\n IdentityFile %s\\n IdentitiesOnly yes\\n %s\\n' \\
                "$(id -un)" "$pai_ssh_dir/key" "StrictHostKeyChecking no
             UserKnownHostsFile /dev/null
             LogLevel ERROR" >>"$FAIRLEAD_SSH_CONFIG"
              ssh() { command ssh -F "$FAIRLEAD_SSH_CONFIG" "$@"; }
              export -f ssh
              [ -x /usr/sbin/sshd ] || {
                echo "warning: there is no SSH server here, so nobody can log in to this task" >&2
                return 0
              }
              [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
              ssh-keygen -q -t ed25519 -N '' -f "$pai_ssh_dir/host" || return 0
              /usr/sbin/sshd -D -e -f /dev/null -h "$pai_ssh_dir/host" -p "$PAI_CONTAINER_SSH_PORT" \\
                -o "AuthorizedKeysFile $pai_ssh_dir/authorized_keys" -o "StrictModes no" \\
                -o "PasswordAuthentication no" -o "KbdInteractiveAuthentication no" \\
                -o "ListenAddress ${PAI_CONTAINER_HOST_IP:-0.0.0.0}" -o "PidFile none" </dev/null \\
                >"$pai_ssh_dir/log" 2>&1 &
              pai_sshd=$!
            }
            pai_ssh
            """;

    private SshScript() {}

    /**
     * The variables of a task that may be logged in to. The lines come along as one of them, so
     * that the command that people see stays short.
     */
    public static Map<String, String> variables(String publicKey, String privateKey) {
        return Map.of(
                BEFORE,
                LINES,
                "FAIRLEAD_SSH_PUBLIC_KEY",
                publicKey,
                "FAIRLEAD_SSH_PRIVATE_KEY",
                privateKey);
    }
}
