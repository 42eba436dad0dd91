package fairlead.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.journal.Document;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Values that jobs get and nobody is shown: of a person for their jobs, and of a project for all of
 * its. A job's variable that is <code>${secret:NAME}</code> becomes the value when the job is
 * launched, and is kept as it was written. Values are kept encrypted, with a key that follows from
 * the server's own secret and is in no journal. Any thread.
 */
public final class Secrets {
    /** Of one person or project. */
    public static final int COUNT_MAX = 100;

    /** A key or a small file; a variable of a process cannot be much longer. */
    public static final int VALUE_BYTES_MAX = 32 * 1024;

    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{secret:([^}]*)}");
    private static final String KIND = "secret";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final Journal journal;
    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    /** Whose a secret is. */
    public enum Holder {
        PERSON,
        PROJECT
    }

    /** A job names a secret that neither its owner nor its project has. */
    public static final class Unknown extends Exception {
        private static final long serialVersionUID = 1;

        private final String variable;

        Unknown(String variable, String name, String owner, String project) {
            super(
                    "there is no secret '%.80s' of %s or of the project %s; 'fairlead secret set' makes one"
                            .formatted(name, owner, project));
            this.variable = variable;
        }

        public String variable() {
            return variable;
        }
    }

    /**
     * @param secret the server's own; the key follows from it, and no other does
     */
    public Secrets(Journal journal, String secret) {
        this.journal = journal;
        this.key = new SecretKeySpec(new Hmac(secret).code("secrets"), "AES");
    }

    /** Keeps a value in the place of the one of this name. */
    public void set(Holder holder, String whose, String name, String value)
            throws JournalException {
        String path = path(holder, whose, name);
        journal.keep(new Document(KIND, path, encrypted(path, value)));
    }

    public void delete(Holder holder, String whose, String name) throws JournalException {
        journal.deleteDocument(KIND, path(holder, whose, name));
    }

    /** The names of the secrets of somebody, in their order. */
    public List<String> names(Holder holder, String whose) throws JournalException {
        String beginning = path(holder, whose, "");
        return journal.documents(KIND).stream()
                .map(Document::name)
                .filter(name -> name.startsWith(beginning))
                .map(name -> name.substring(beginning.length()))
                .toList();
    }

    /** Nobody who is made known later under the same name gets them. */
    public void forget(Holder holder, String whose) throws JournalException {
        for (String name : names(holder, whose)) delete(holder, whose, name);
    }

    /** The variables with the values of the secrets that they name; the owner's go first. */
    public Map<String, String> filled(Map<String, String> variables, String owner, String project)
            throws Unknown, JournalException {
        var filled = new LinkedHashMap<>(variables);
        for (var each : variables.entrySet()) {
            Matcher reference = REFERENCE.matcher(each.getValue());
            if (!reference.matches()) continue;
            String name = reference.group(1);
            Optional<String> value = value(Holder.PERSON, owner, name);
            if (value.isEmpty()) value = value(Holder.PROJECT, project, name);
            filled.put(
                    each.getKey(),
                    value.orElseThrow(() -> new Unknown(each.getKey(), name, owner, project)));
        }
        return filled;
    }

    private Optional<String> value(Holder holder, String whose, String name)
            throws JournalException {
        String path = path(holder, whose, name);
        return journal.documents(KIND).stream()
                .filter(each -> each.name().equals(path))
                .map(each -> decrypted(path, each.text()))
                .findFirst();
    }

    private static String path(Holder holder, String whose, String name) {
        return (holder == Holder.PERSON ? "person/" : "project/") + whose + "/" + name;
    }

    /** Its place is part of what is proved, so that no row can be put in the place of another. */
    private String encrypted(String path, String value) {
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] text = run(Cipher.ENCRYPT_MODE, nonce, path, value.getBytes(UTF_8));
        byte[] whole = Arrays.copyOf(nonce, nonce.length + text.length);
        System.arraycopy(text, 0, whole, nonce.length, text.length);
        return Base64.getEncoder().encodeToString(whole);
    }

    private String decrypted(String path, String kept) {
        byte[] whole = Base64.getDecoder().decode(kept);
        byte[] nonce = Arrays.copyOf(whole, NONCE_BYTES);
        byte[] text = Arrays.copyOfRange(whole, NONCE_BYTES, whole.length);
        return new String(run(Cipher.DECRYPT_MODE, nonce, path, text), UTF_8);
    }

    private byte[] run(int mode, byte[] nonce, String path, byte[] text) {
        try {
            var cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(path.getBytes(UTF_8));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "a secret was kept with another key: the file 'secret' of the home has changed",
                    e);
        }
    }
}
