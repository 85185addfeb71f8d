package dev.muster.engine.ascend;

import dev.muster.spi.PlainRows;
import java.util.Optional;

/**
 * Devices of a rank table, one after the other, as they stand in their file: no object comes to be for any of them. Only those of the
 * usual kind can be read so, which have an id of digits and one address of four numbers; of the others nothing is said here.
 */
final class PlainDevices {

    private final JsonView array;
    private final PlainRows rows;
    private final byte[] bytes;
    private final int idColumn;
    private final int addressColumn;

    private int index;
    private int id;
    private int idPlace;
    private int idSize;
    private long address;
    private int addressPlace;
    private int addressSize;

    private PlainDevices(JsonView array, PlainRows rows, int idColumn, int addressColumn) {
        this.array = array;
        this.rows = rows;
        this.bytes = rows.bytes();
        this.idColumn = idColumn;
        this.addressColumn = addressColumn;
    }

    /** @param devices of one array; empty: none of them can be read so */
    static Optional<PlainDevices> of(JsonView.Elements devices) {
        Optional<PlainRows> rows = devices.rows();
        return rows.isEmpty() ? Optional.empty() : of(devices.array(), rows.get());
    }

    private static Optional<PlainDevices> of(JsonView array, PlainRows rows) {
        int id = rows.column(CardRules.ID);
        int address = rows.column(CardRules.ADDRESS);
        return id == PlainRows.NONE || address == PlainRows.NONE
                ? Optional.empty()
                : Optional.of(new PlainDevices(array, rows, id, address));
    }

    /** Goes to a device; false: it is of another kind. */
    boolean goTo(int device) {
        index = device;
        idPlace = rows.place(device, idColumn);
        addressPlace = rows.place(device, addressColumn);
        if (idPlace == PlainRows.NONE || addressPlace == PlainRows.NONE) {
            return false;
        }
        idSize = rows.length(device, idColumn);
        addressSize = rows.length(device, addressColumn);
        id = WholeNumber.parse(bytes, idPlace, idPlace + idSize, CardRules.HIGHEST_DEVICE_ID);
        address = IpAddress.v4(bytes, addressPlace, addressPlace + addressSize);
        return id != WholeNumber.NONE && address != IpAddress.NONE;
    }

    /** The physical id of the device. */
    int id() {
        return id;
    }

    /** The device's address. */
    long address() {
        return address;
    }

    JsonView array() {
        return array;
    }

    /** Where in the array the device is. */
    int index() {
        return index;
    }

    /** The device itself, for what has to be said of it. */
    JsonView view() {
        return array.element(index);
    }

    /** The bytes of the file. */
    byte[] bytes() {
        return bytes;
    }

    /** Where in the file its id stands. */
    int idPlace() {
        return idPlace;
    }

    /** How many bytes its id has. */
    int idSize() {
        return idSize;
    }

    /** Where in the file its address stands. */
    int addressPlace() {
        return addressPlace;
    }

    /** How many bytes its address has. */
    int addressSize() {
        return addressSize;
    }

    void appendId(AsciiText text) {
        text.append(bytes, idPlace, idSize);
    }

    void appendAddress(AsciiText text) {
        text.append(bytes, addressPlace, addressSize);
    }
}
